"""Documents: their files, their text, and what is extracted from them."""

from __future__ import annotations

from dataclasses import dataclass

from docagent.adapters.parse.limits import ReadLimits
from docagent.adapters.parse.reader import ChildProcessReader
from docagent.bootstrap.ground import Ground
from docagent.bootstrap.models import Models
from docagent.services.documents.documents import DocumentService
from docagent.services.documents.model_reading import ModelReading
from docagent.services.documents.pictures import PictureService
from docagent.services.documents.reading import ReadingService
from docagent.services.documents.tags import TagService
from docagent.services.documents.text import TextService
from docagent.services.extraction.extraction import ExtractionService
from docagent.services.extraction.extractor import Extractor, WindowSize
from docagent.services.extraction.forms import FormService
from docagent.services.extraction.learning import ExampleService, LearningService
from docagent.services.extraction.pointing import PointingService
from docagent.services.extraction.prompt_runs import PromptRunService
from docagent.services.extraction.prompts import PromptService
from docagent.services.extraction.results import ResultService
from docagent.services.extraction.schemas import SchemaService
from docagent.services.extraction.spreading import SpreadingService
from docagent.services.repeats import LongRequests
from docagent.services.review.accuracy_compared import AccuracyComparing
from docagent.services.review.accuracy_runs import AccuracyService
from docagent.services.review.accuracy_trial import AccuracyTrials
from docagent.services.review.calibrating import CalibrationService
from docagent.services.review.home import HomeService
from docagent.services.review.measuring import Measuring
from docagent.services.review.merging import MergingService
from docagent.services.review.review import ReviewService
from docagent.services.review.sheets import SheetService
from docagent.services.review.straight_through import StraightThroughService
from docagent.settings import MEBIBYTE, Settings


@dataclass(frozen=True)
class Documents:
    documents: DocumentService
    pictures: PictureService
    reading: ReadingService
    text: TextService
    extraction: ExtractionService
    prompt_runs: PromptRunService
    results: ResultService
    pointing: PointingService
    review: ReviewService
    home: HomeService
    straight_through: StraightThroughService
    accuracy: AccuracyService
    accuracy_comparing: AccuracyComparing
    accuracy_trials: AccuracyTrials
    calibrations: CalibrationService
    learning: LearningService
    sheets: SheetService
    spreading: SpreadingService
    merging: MergingService
    tags: TagService
    schemas: SchemaService
    prompts: PromptService
    forms: FormService


def build_documents(ground: Ground, models: Models) -> Documents:
    db, blobs, secrets, jobs, bus = ground.db, ground.blobs, ground.secrets, ground.jobs, ground.bus
    settings = ground.settings
    reader = ChildProcessReader(_read_limits(settings), careful=settings.reader.careful)
    documents = DocumentService(db, blobs, reader, jobs, secrets, settings.documents.upload_limit_mb, bus)
    pictures = PictureService(db, blobs, reader, documents)
    window = WindowSize(settings.extraction.window_characters, settings.extraction.window_pages)
    calibrations, learning = CalibrationService(db, jobs), LearningService(db, jobs)
    examples = ExampleService(db, learning)
    extractor = Extractor(
        db,
        models.model_calls,
        documents,
        window,
        ground.kill,
        bus,
        calibrations,
        learning,
        examples,
        pictures,
    )
    results = ResultService(db, bus, calibrations, learning)
    text = TextService(db)
    extraction = ExtractionService(db, jobs, extractor, bus, LongRequests(db, ground.line))
    measuring = Measuring(db, extractor)
    return Documents(
        documents=documents,
        pictures=pictures,
        reading=ReadingService(
            db,
            blobs,
            reader,
            jobs,
            documents,
            pictures,
            ModelReading(db, models.model_calls, pictures),
            extraction,
            bus,
        ),
        text=text,
        extraction=extraction,
        prompt_runs=PromptRunService(db, jobs, extractor, models.model_calls, bus),
        results=results,
        pointing=PointingService(results, text),
        review=ReviewService(db, results),
        home=HomeService(db),
        straight_through=StraightThroughService(db),
        accuracy=AccuracyService(db, jobs, extractor, models.model_calls, measuring),
        accuracy_comparing=AccuracyComparing(db),
        accuracy_trials=AccuracyTrials(db, models.model_calls, measuring),
        calibrations=calibrations,
        learning=learning,
        sheets=SheetService(db, pictures.first),
        spreading=SpreadingService(db, results, calibrations),
        merging=MergingService(db, results),
        tags=TagService(db),
        schemas=SchemaService(db),
        prompts=PromptService(db, ground.directory),
        forms=FormService(db),
    )


def _read_limits(settings: Settings) -> ReadLimits:
    reader = settings.reader
    return ReadLimits(
        seconds_per_file=reader.seconds_per_file,
        seconds_per_page=reader.seconds_per_page,
        memory_bytes=reader.memory_mb * MEBIBYTE,
        max_pages=reader.max_pages,
        max_pixels=reader.max_megapixels * 1_000_000,
    )
