"""What agreements are made of. Words in braces are filled in."""

from __future__ import annotations

TITLES = (
    "Confidentiality Agreement", "Non-Disclosure Agreement", "Mutual Non-Disclosure Agreement", "Mutual Confidentiality Agreement",
    "Confidential Disclosure Agreement", "Nondisclosure and Noncompetition Agreement", "Employee Confidentiality Agreement",
    "Consulting Agreement", "Services Agreement", "License Agreement", "Employment Agreement", "Lease Agreement", "Supply Agreement",
    "Confidentiality and Standstill Agreement", "Proprietary Information Agreement", "Non-Compete and Confidentiality Agreement",
    "Distribution Agreement", "Master Services Agreement", "Loan Agreement", "Settlement Agreement", "Agreement", "Letter Agreement",
    "Memorandum of Understanding", "Joint Venture Agreement", "Confidentiality, Non-Solicitation and Invention Agreement",
)  # fmt: skip
EXHIBITS = (
    "Exhibit 10.{n}",
    "EXHIBIT {n}",
    "EX-99.{n}",
    "EXECUTION COPY",
    "CONFIDENTIAL",
    "Page 1 of {n}",
    "Exhibit (d)({n})",
)
ROLES = (
    ("Disclosing Party", "Receiving Party"), ("Company", "Employee"), ("Company", "Recipient"), ("Company", "Consultant"),
    ("Discloser", "Recipient"), ("Licensor", "Licensee"), ("Landlord", "Tenant"), ("Supplier", "Customer"), ("Owner", "Contractor"),
    ("Buyer", "Seller"), ("Parent", "Target"), ("Lender", "Borrower"), ("Party A", "Party B"), ("Employer", "Executive"),
)  # fmt: skip
ABOUT = (
    "a {state} corporation", "a corporation organized under the laws of the State of {state}", "a {state} limited liability company",
    "a company incorporated in {country}", "with its principal place of business at {address}", "having an office at {address}",
    "a corporation duly organized and existing under the laws of {state}, with offices at {address}", "located at {address}",
    "an individual residing at {address}", "whose address is {address}", "on behalf of itself and its subsidiaries",
    "a {state} corporation having its principal office at {address}", "an individual", "a limited partnership formed in {state}",
)  # fmt: skip
DATED = (
    "is made as of", "is entered into as of", "is made and entered into as of", "is made effective as of", ", dated as of", "is made this",
    "is effective as of", "is entered into on", "is made and entered into this", "shall be effective as of", "is dated", ", made the",
    "is made and entered into effective", "is executed on", "made as of the", "is hereby made on",
)  # fmt: skip
NO_DATE = (
    "is made as of ____________, 20__",
    "is entered into",
    "is made and entered into",
    "is dated as of the date of last signature",
)
JOINS = (
    "between",
    "by and between",
    "by and among",
    "is made between",
    "between the parties",
    "by and between the following parties:",
)
LEADS = (
    "In consideration of the disclosure of information between", "In connection with discussions between", "It is understood between",
    "As a condition of the employment and in consideration of the mutual promises of", "WHEREAS discussions are held between",
)  # fmt: skip
LETTERS = (
    'In connection with your consideration of a possible transaction with {first} and its subsidiaries (the "Company"), you have requested certain information.',
    'You have asked {first} (the "Company") to furnish you with certain information that is not public.',
    "This letter sets out the terms on which {first} will make confidential information available to you.",
)
TERMS = (
    "The term of this Agreement shall be {term} from the Effective Date.",
    "This Agreement shall remain in effect for a period of {term} from the date first written above.",
    "The obligations under this Agreement shall expire {term} after the date hereof.",
    "This Agreement shall terminate {term} following the date of disclosure.",
    "Term. This Agreement is valid for {term} and may be renewed in writing.",
    "Recipient's duties hereunder shall continue for {term} after the date of this Agreement.",
    "Unless terminated earlier, this Agreement expires on the date that is {term} from the date hereof.",
    "The obligations of confidentiality shall survive for a period of {term}.",
    "This Agreement will automatically terminate upon the expiration of {term} from its date.",
    "For a period of {term} from the date hereof, the Receiving Party shall keep the Information confidential.",
    "This Agreement shall be in full force for {term}.",
    "The duration of this Agreement is {term}.",
    "Your obligations under this letter agreement shall cease {term} from the date of this letter agreement.",
)
LAWS = (
    "This Agreement shall be governed by and construed in accordance with the laws of {law}.",
    "This Agreement shall be governed by the laws of {law}, without regard to its conflict of laws principles.",
    "Governing Law. The laws of {law} shall govern this Agreement.",
    "This Agreement is governed by {law} law.",
    "The validity and interpretation of this Agreement shall be determined under the laws of {law} applicable to contracts made therein.",
    "This Agreement shall be construed under the laws of {law}.",
    "This letter agreement is governed by the internal laws of {law}.",
    "Applicable Law: {law}.",
    "This Agreement and all disputes arising from it are subject to the laws of {law}.",
    "This Agreement will be interpreted and enforced in accordance with the laws of {law} and the parties submit to its courts.",
    "The parties agree that the substantive law of {law} applies.",
    "This Agreement shall be deemed to have been made under {law} law.",
)
CLAUSES = (
    "Each party shall hold the Confidential Information of the other in strict confidence and shall not disclose it to any third party.",
    "Neither party may assign its rights under this Agreement without the prior written consent of the other party.",
    "If any provision of this Agreement is held invalid or unenforceable, the remaining provisions shall continue in full force and effect.",
    "This Agreement constitutes the entire agreement between the parties and supersedes all prior agreements, including that of {date}.",
    "The {other} shall return or destroy all Confidential Information within {days} of a written request of the {role}.",
    "For a period of {duration} after termination, the {other} shall not solicit any employee of the {role}.",
    "Confidential Information does not include information that is or becomes generally available to the public.",
    "Any notice shall be in writing and sent to {address}, attention {person}, with a copy to {firm}.",
    "The {role} is a corporation qualified to do business in the State of {state} and in other states.",
    "The parties acknowledge that money damages would not be a sufficient remedy for any breach of this Agreement.",
    "Either party may demand payment of {amount} for each breach, payable within {days}.",
    "No failure or delay in exercising any right under this Agreement shall operate as a waiver thereof.",
    "The {other} shall use at least the same degree of care as it uses to protect its own confidential information.",
    "This Agreement may be executed in counterparts, each of which shall be deemed an original.",
    "{firm} acts as financial advisor to the {role} and may receive Confidential Information.",
    "Any action arising out of this Agreement shall be brought in the courts located in {address}.",
    "The {other} agrees to notify the {role} at least {days} before any disclosure required by law.",
    "Nothing in this Agreement grants a license under any patent, trademark or copyright of the {role}.",
    "Trade secrets shall be kept confidential for as long as they remain trade secrets, but not less than {duration}.",
    "All materials furnished by the {role} remain its property, and copies shall be marked as confidential.",
    "The {other} is aware that securities laws restrict persons with material information from buying or selling securities.",
    "Representatives means the directors, officers, employees, agents and advisors of a party, such as {person} of {firm}.",
    "The {role} makes no representation or warranty as to the accuracy or completeness of the information.",
    "Headings are for convenience only and shall not affect the interpretation of this Agreement.",
    "During the {duration} before {date}, the parties exchanged drafts that are no longer binding.",
    "The {other} shall not, for {duration}, engage in any business in {state} that competes with the {role}.",
    "Amendments to this Agreement must be in writing and signed by both parties.",
    "Upon breach the {role} shall be entitled to injunctive relief without posting a bond.",
    "Invoices are due within {days}; late amounts bear interest at the rate published by {firm}.",
    "Employee acknowledges that the services are of a special character and that the {role} relies on them.",
)
