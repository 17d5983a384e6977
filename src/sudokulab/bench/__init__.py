"""Our engines and solvers beside those of others: in one run, in turn, on one core, every answer verified."""
