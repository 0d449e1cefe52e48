"""Fields of other trades: what the document at hand does not have, asked in the words of those trades."""

from __future__ import annotations

from dataclasses import dataclass

from evals.zoo.halves import Dice

from training.made.lesson import Fact, Way, Ways
from training.made.things import Thing
from training.made.wording import nameless, styled

_FIELDS = """
text blood_type = Blood group of the patient | text engine_size = Displacement of the engine | text thesis_supervisor = Who supervised the thesis
date graduation_date = When the student graduated | text crew_chief = Name of the crew chief | number crew_size = How many people are on board
text dosage = How much of the medicine to take | text allergen = What the patient is allergic to | number runway_length = Length of the runway
text plaintiff = Who brings the action | text defendant = Who is sued | text judge = The judge who hears the case | date hearing_date = Day of the hearing
number mileage = Kilometres that the car has run | text vin = Vehicle identification number | date first_registration = When the car was first registered
number loan_amount = Principal of the loan | date maturity = When the loan must be repaid | text underwriter = Bank that underwrites the issue
number coupon = Interest that the bond pays | text isin = Identifier of the security | number shares_outstanding = How many shares there are
text isbn = Number of the book | text journal = Where the article appeared | text editor = Who edited the volume | number page_count = Number of pages
text degree = Academic degree | text university = Where the person studied | number grade = Grade of the exam | text thesis_title = Title of the thesis
text coach = Trainer of the team | number goals = Goals that were scored | text referee = Who led the match | number lap_time = Time of the lap
text room_number = Room in the hotel | date check_in = Day of arrival | date check_out = Day of departure | number nights = How many nights
text gate = Gate of departure | text seat = Seat of the passenger | text airline = Which airline flies | text airport = From where the plane leaves
number monthly_rent = Rent each month | text landlord_name = Who lets the flat | number living_area = Size in square metres | number rooms = How many rooms
text meter_reading = Reading of the meter | number consumption_kwh = Energy used in kilowatt hours | text grid_operator = Who runs the grid
number gross_salary = Salary before deductions | number net_pay = What is paid out | text social_security_number = Social security number of the employee
number overtime_hours = Hours beyond the usual | number vacation_days = Days of leave | text payroll_number = Number in the payroll
text cadastral_number = Number of the parcel | text notary = Before which notary it was signed | text species = Species of the animal | text breed = Breed of the dog
number boiling_point = At which temperature it boils | text cas_number = Number of the substance | text hazard_class = Class of danger | number ph_value = Acidity
text customs_tariff = Tariff code of the goods | text vessel = Ship that carries the goods | text bill_of_lading = Number of the bill of lading | text port_of_loading = Where it was loaded
text imo_number = Number of the ship | text serial_number = Serial number of the device | text firmware = Version of the firmware | text mac_address = Address of the network card
text donor_name = Who gave the donation | text candidate_name = Who stands for election | text party_affiliation = Party of the candidate | number votes = Votes received
text polling_station = Where votes are cast | text premium_class = Class of the insurance | number deductible = What the insured bears | date loss_date = When the damage happened
text claim_handler = Who handles the damage | text surgeon = Who operated | date admission_date = When the patient came | text diagnosis = Diagnosis of the doctor
text prescriber = Doctor who prescribed | text tenant_name = Who rents | text patent_number = Number of the patent | text inventor = Who invented it | date filing_date = When it was filed
text trademark_class = Class of the mark | text broker_name = Broker of the deal | number commission_rate = Share of the broker | text escrow_agent = Who keeps the money
text ingredient = Main ingredient | number calories = Energy of a portion | date best_before = Until when it keeps | text allergens = What may cause allergies
text teacher = Who teaches the class | text school_year = Which year of school | text conductor = Who conducts | text composer = Who wrote the music | text track = Title of the song
text magazine_issue = Which issue | text show_host = Who hosts the show | number audience = How many people watched | text episode = Which episode | text network = Which network airs it
text krankenkasse = Name der Krankenkasse | text versichertennummer = Nummer des Versicherten | text kennzeichen = Kennzeichen des Autos | number wohnflaeche = Fläche der Wohnung
text diagnose = Diagnose | text hersteller = Hersteller des Geräts | text seriennummer = Seriennummer | text immatriculation = Immatriculation du véhicule | text medecin = Médecin traitant
text matricula = Matrícula del vehículo | text paciente = Nombre del paciente | text numero_vuelo = Número de vuelo | number kilometraje = Kilometraje del coche | text medico = Médico
"""
FIELDS = [
    (kind, name, said)
    for line in _FIELDS.strip().split("\n")
    for one in line.split(" | ")
    for kind, _, rest in [one.strip().partition(" ")]
    for name, _, said in [rest.partition(" = ")]
]


@dataclass(frozen=True)
class Foreign(Ways):
    name: str
    said: str

    def draw(self, dice: Dice, *, absent: bool = False) -> Way:
        said = dice.choice((self.said, f"The {self.name.replace('_', ' ')}", self.said))
        chance = dice.random()
        if chance < 0.3:
            return styled(self.name, dice), ""
        return (nameless(dice), said) if chance < 0.42 else (styled(self.name, dice), said)


def foreign_facts(dice: Dice, count: int) -> list[Fact]:
    """Return fields that the zoo's papers and our agreements do not have."""
    found: list[Fact] = []
    for kind, name, said in dice.sample(FIELDS, -(-count * 2 // 3)):
        found.append(Fact(kind, Foreign(name, said)))
    while len(found) < count:
        thing = Thing.chance(dice)
        if thing.thing[0] not in (
            "order",
            "contract",
            "account",
            "invoice",
            "delivery",
            "seller",
            "product",
            "batch",
        ):
            found.append(Fact(thing.type, thing))
    return found
