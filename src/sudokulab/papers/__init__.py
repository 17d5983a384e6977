"""Five papers reproduced, one folder each, and what else they describe; `catalogue` lists them."""
