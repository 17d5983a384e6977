"""Export data sets for training: one module per format, and `catalogue`, which lists them."""
