"""Public data sets: documents, and questions with what is known of their answers."""
