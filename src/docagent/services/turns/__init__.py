"""Running turns: their log, their context, their runner, and what people do with them."""
