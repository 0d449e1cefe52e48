"""Values, rules, errors and ports: the vocabulary that every other layer shares. No I/O."""
