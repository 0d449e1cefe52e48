"""Several processes as one, with everything real: `make scale-test`. Its short form is a test of `make test`."""
