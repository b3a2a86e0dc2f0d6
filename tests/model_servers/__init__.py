"""Model servers to test against: scripted ones, and what real ones were recorded to send."""
