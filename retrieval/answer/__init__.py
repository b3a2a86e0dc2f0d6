"""Evidence becomes a cited answer, or a refusal."""
