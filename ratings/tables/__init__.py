"""The lists of a club and its seasons: their columns, cells and sorting. `queries` fetch the rows."""
