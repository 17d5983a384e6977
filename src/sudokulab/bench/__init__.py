"""Compare our engines and solvers with others: interleaved on one core, with every answer verified."""
