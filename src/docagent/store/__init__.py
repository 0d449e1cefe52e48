"""SQL: tables, migrations, and one file of queries for each noun. Called by services only."""
