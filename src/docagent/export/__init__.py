"""Makes files for other programs from what was read."""

from docagent.export.archive import ArchivedFile, zipped
from docagent.export.results import result_to_csv, results_to_xlsx
from docagent.export.tables_xlsx import tables_to_xlsx

__all__ = ["ArchivedFile", "result_to_csv", "results_to_xlsx", "tables_to_xlsx", "zipped"]
