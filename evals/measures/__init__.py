"""What is measured, as plain functions of values: no model, no file, no pipeline."""
