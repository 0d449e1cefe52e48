"""What the common fields of business documents are called, in schemas (names) and on paper (labels).

Names and labels are sets of meanings (see `words`), so order and language do not matter. The number beside a
label says how surely it means the concept.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Kind(StrEnum):
    """What a value looks like."""

    DATE = "date"
    AMOUNT = "amount"
    NUMBER = "number"
    CODE = "code"
    NAME = "name"
    TEXT = "text"
    ADDRESS = "address"
    EMAIL = "email"
    PHONE = "phone"
    WEBSITE = "website"
    IBAN = "iban"
    BIC = "bic"
    VAT_ID = "vat_id"
    CURRENCY = "currency"
    PERCENT = "percent"
    BOOLEAN = "boolean"
    DURATION = "duration"
    PLACE = "place"


Meanings = frozenset[str]


@dataclass(frozen=True)
class Concept:
    key: str
    kind: Kind
    names: frozenset[Meanings]
    labels: dict[Meanings, float]
    harmless: Meanings = field(default_factory=frozenset)
    """Meanings that may stand beside a label without changing its meaning."""


def _sets(text: str) -> frozenset[Meanings]:
    return frozenset(frozenset(part.split()) for part in text.split("|"))


def _labels(text: str) -> dict[Meanings, float]:
    labels = {}
    for part in text.split("|"):
        *meanings, weight = part.split()
        labels[frozenset(meanings)] = float(weight)
    return labels


def _concept(key: str, kind: Kind, names: str, labels: str, harmless: str = "") -> Concept:
    return Concept(key, kind, _sets(names), _labels(labels), frozenset(harmless.split()))


CONCEPTS = (
    _concept(
        "total",
        Kind.AMOUNT,
        "total|grand total|total amount|gross amount|gross total|invoice amount|invoice total|gross"
        "|amount|total price|receipt total|order total|contract amount|amount total gross|contract total"
        "|bill total|gross price|bill amount",
        "grand total 1|gross total 1|order total 0.8|contract total 0.8|total price 0.8|net payable 0.9"
        "|gross total amount 1|invoice total 0.95|total amount 0.92|total payable 0.9|total due 0.85"
        "|total amount due 0.85|total amount payable 0.9|total 0.85|gross amount 0.95|invoice amount 0.85"
        "|gross invoice total 1|amount due 0.7|amount payable 0.75|due payable 0.75|balance due 0.65"
        "|net total 0.5|invoice total gross 1|gross 0.75|payable 0.8|payable to 0.8",
        "amount total invoice grand payable due gross document order contract receipt",
    ),
    _concept(
        "due_payable",
        Kind.AMOUNT,
        "due payable|amount due|balance due|payable amount|due amount|amount payable|total due|payable"
        "|balance"
        "|due payable amount|balance due payable|payable total|due|due payable total|due balance payable",
        "invoice amount 0.65|invoice total 0.65|gross amount 0.65|payable amount 1|due payable 1"
        "|net payable 1|amount due 1|balance due 0.95|total due 0.95|total payable 0.95|amount payable 1"
        "|total amount due 1|due amount 1|grand total 0.75|total amount 0.7|gross total 0.65|total 0.62"
        "|invoice total gross 0.65|payable 0.9|payable to 0.95|due 0.9|balance 0.6",
        "amount total invoice grand payable due balance to",
    ),
    _concept(
        "line_sum",
        Kind.AMOUNT,
        "line total|subtotal|sub total|position total"
        "|item total|item subtotal|line subtotal|position subtotal|product total|subtotal amount",
        "position total 1|line total 1|subtotal 0.95|sub total 0.95|net total 0.8|net amount 0.8"
        "|description total 0.8|invoice total net 0.75|total net 0.8",
        "amount total net sub",
    ),
    _concept(
        "net",
        Kind.AMOUNT,
        "tax basis|net|net amount|net total|total net|amount net|basis amount|net invoice amount"
        "|tax basis total|net price total"
        "|basis|tax basis amount|net price|amount net total|net invoice total",
        "net total 1|net amount 1|invoice total net 1|tax basis 0.9|tax basis amount 0.9"
        "|basis amount 0.85|total net amount 1|net 0.75|subtotal 0.8|sub total 0.8|invoice net amount 1"
        "|net price total 0.8|position total 0.6",
        "amount total invoice basis",
    ),
    _concept(
        "tax",
        Kind.AMOUNT,
        "tax|tax amount|tax total|total tax|sales tax|tax total amount|amount tax total",
        "tax total 1|tax amount 0.95|total tax amount 1|tax 0.75|sales tax 0.9|tax total amount 1",
        "amount total excluding sales",
    ),
    _concept(
        "invoice_number",
        Kind.CODE,
        "invoice number|invoice reference|bill number|invoice"
        "|invoice code|bill code|invoice number code|bill reference|bill",
        "invoice number 1|invoice 0.8|receipt number 0.85|document number 0.85|bill number 0.85"
        "|invoice reference 0.6|receipt 0.55",
        "tax document receipt",
    ),
    _concept(
        "document_number",
        Kind.CODE,
        "document number|document reference|document code|document number code",
        "document number 1|contract number 1|invoice number 0.95|receipt number 0.9|order number 0.85|contract 0.8"
        "|invoice 0.75|purchase order number 0.85|quote number 0.85|credit note number 0.9|order 0.6",
        "revision tax document receipt",
    ),
    _concept(
        "contract_number",
        Kind.CODE,
        "contract number|contract",
        "contract number 1|contract 0.8",
        "revision",
    ),
    _concept(
        "order_number",
        Kind.CODE,
        "order number|order|purchase order number|purchase order|customer order number|order reference",
        "order number 1|order 0.75|purchase order number 1|purchase order 0.85|order reference 0.8",
        "revision purchase",
    ),
    _concept(
        "quote_number",
        Kind.CODE,
        "quote number|quote|quote code|quote reference",
        "quote number 1|quote 0.7|quote reference 0.8",
    ),
    _concept(
        "credit_note_number",
        Kind.CODE,
        "credit note number|credit memo number|credit number|credit document number|credit invoice number",
        "credit note number 1|credit memo number 1|credit number 1|credit invoice number 1|credit document number 0.9"
        "|nota credit number 1|credit 0.6|document number 0.7|note credit number 1",
        "document note nota",
    ),
    _concept(
        "delivery_note_number",
        Kind.CODE,
        "delivery note number|packing slip number|packing number|delivery number|packing slip|delivery note|packing",
        "delivery note number 1|delivery list number 1|delivery list 0.7|packing slip number 1|packing number 1"
        "|delivery number 0.85|packing 0.7|packing "
        "slip 0.8"
        "|packing list number 0.9|document delivery number 0.9|receipt delivery number 0.9"
        "|document number 0.6|delivery packing number 1",
        "document receipt",
    ),
    _concept(
        "receipt_number",
        Kind.CODE,
        "receipt number|receipt|receipt code|receipt reference",
        "receipt number 1|receipt 0.7|document number 0.75|invoice number 0.6|bill number 0.6",
        "document",
    ),
    _concept(
        "statement_number",
        Kind.CODE,
        "statement number|statement code|account statement number",
        "statement number 1|statement 0.7|account statement number 1|document number 0.6",
        "account bank",
    ),
    _concept(
        "identity_number",
        Kind.CODE,
        "identity number|identity document number|identity",
        "identity number 1|identity document number 1|document number 0.7|identity 0.8",
    ),
    _concept(
        "customer_number",
        Kind.CODE,
        "customer number|customer account number|buyer number|account number"
        "|customer code|customer reference|buyer code|customer account",
        "customer number 1|account number 0.7|customer account number 1",
    ),
    _concept(
        "invoice_date",
        Kind.DATE,
        "invoice date|issue date|date|document date|receipt date|bill date|date issue|invoice issue date"
        ""
        "|issue|issue date invoice|document issue date|date document|bill issue date|receipt|date receipt|date "
        "issue document",
        "invoice date 1|issue date 0.95|date 0.8|receipt date 0.95|document date 0.9|invoice issue date 1"
        "|invoice issue 0.75|invoice from 0.7|invoice number from 0.8|bill date 0.9|issue 0.6|invoice 0.5"
        "|contract date 0.5|order date 0.4",
        "from invoice issue number receipt document to",
    ),
    _concept(
        "due_date",
        Kind.DATE,
        "due date|payment due date|date due|payable to|payment date"
        "|due|due payable|payable|payable date|due payable date|payment due|due date payment|payment to|date due "
        "payable",
        "due date 1|payment due date 1|payable to 0.85|due 0.7|payment due 0.9|payment to 0.8"
        "|payable date 0.8",
        "payment net",
    ),
    _concept(
        "order_date",
        Kind.DATE,
        "order date|purchase date",
        "order date 1|purchase date 0.9|order from 0.8|ordered 0.8|ordered date 1",
    ),
    _concept(
        "delivery_date",
        Kind.DATE,
        "delivery date|service date|delivery|service delivery date|date service",
        "delivery date 1|service date 0.9|delivery 0.6",
        "service delivery",
    ),
    _concept(
        "flight",
        Kind.DATE,
        "flight|flight date|flight period|campaign date|schedule date|campaign",
        "flight date 1|flight 0.95|schedule date 0.9|contract date 0.9|campaign date 0.9"
        "|campaign period 0.9|schedule 0.7|order date 0.5|flight period 1|contract period 0.85"
        "|schedule period 0.85|date 0.55",
        "from to date",
    ),
    _concept(
        "period",
        Kind.DATE,
        "period|service period|bill period|invoice period|contract period|period date|date",
        "date 0.55|period 0.85|service period 1|bill period 1|invoice period 1|contract period 0.9"
        "|delivery period 0.9",
        "from to date reference invoice service",
    ),
    _concept(
        "supplier",
        Kind.NAME,
        "supplier|supplier name|company|company name|supplier company|supplier company name"
        "|supplier issue|supplier invoice|company supplier|issue company|company issue",
        "supplier 1|supplier name 1|sold 0.8|company name 0.6",
    ),
    _concept(
        "buyer",
        Kind.NAME,
        "buyer|buyer name|customer|customer name|bill to|buyer customer name|customer company name"
        "|customer buyer|buyer company|buyer company name|invoice buyer|invoice to|company buyer|customer company",
        "buyer 0.95|buyer name 1|bill to 1|invoice to 0.9|bill address 0.9|customer name 0.95"
        "|customer 0.7|invoice address 0.9|bill to address 1|sold to 0.95|buyer customer 0.95",
    ),
    _concept(
        "address",
        Kind.ADDRESS,
        "address|company address|supplier address|supplier street"
        "|supplier company address|address street zip|address company|street zip city|address zip city",
        "address 0.8|supplier address 0.9|company address 0.8",
    ),
    _concept(
        "buyer_address",
        Kind.ADDRESS,
        "buyer address|customer address|bill address",
        "bill address 1|invoice address 1|customer address 1|bill to 0.8|buyer 0.8|buyer address 1",
    ),
    _concept(
        "currency",
        Kind.CURRENCY,
        "currency|currency code",
        "currency 1|amount 0.5",
    ),
    _concept(
        "iban",
        Kind.IBAN,
        "iban|bank account iban|supplier iban|bank iban"
        "|bank account|account iban|account bank|iban bank account",
        "iban 1|bank account 0.7|account number 0.7|account 0.55|iban account 1",
        "number supplier bank",
    ),
    _concept(
        "bic",
        Kind.BIC,
        "bic|bic code|bic bank|bank bic|bank code",
        "bic 1|bic code 1",
        "number",
    ),
    _concept(
        "vat_id",
        Kind.VAT_ID,
        "tax number|supplier tax number|tax registration number|vatin|tax registration|gstin"
        "|tax registration code|tax code|tax reference|company tax number",
        "tax number 1|tax registration number 1|vatin 1|tax 0.5|ustid 1|uid 0.8|tax registration 0.9|gstin 1",
        "number supplier",
    ),
    _concept(
        "email",
        Kind.EMAIL,
        "email|email address|supplier email|contact email|company email|email contact",
        "email 1|email address 1",
        "contact",
    ),
    _concept(
        "phone",
        Kind.PHONE,
        "phone|phone number|supplier phone|contact phone|company phone",
        "phone 1|phone number 1",
        "number",
    ),
    _concept(
        "website",
        Kind.WEBSITE,
        "website|website address|supplier website|company website",
        "website 1",
    ),
    _concept(
        "quantity",
        Kind.NUMBER,
        "quantity|quantity number|amount quantity|unit quantity"
        "|item quantity|product quantity|invoice quantity",
        "quantity 1|unit 0.5|amount 0.45|number 0.3|name 0.2",
    ),
    _concept(
        "unit_price",
        Kind.AMOUNT,
        "unit price|price|price unit|net unit price|rate"
        "|item price|net price|unit net price|price net|product price|unit amount",
        "unit price 1|price 0.85|ep 0.8|net price 0.9|unit price net 0.95|rate 0.6|price net 0.9"
        "|sale price 0.8|unit 0.4|p u net 0.9|p u 0.8",
        "net excluding",
    ),
    _concept(
        "line_amount",
        Kind.AMOUNT,
        "line amount|price subtotal|line net amount|position amount|line price|subtotal price|total line"
        "|line total|total|amount|total amount|net amount|amount net|item total|item amount|product total|gross "
        "amount|total price|line amount total|net total|total net|gross total|total item net|net line total"
        "|price total|position total|net price total",
        "line amount 1|line total 1|gp 0.8|total amount 0.9|total 0.9|amount 0.85|net amount 0.95"
        "|total net 0.9|total price 0.9|price gross 0.7|total gross 0.8|entgelt 0.9|net total 0.9"
        "|amount net 0.95|gross amount 0.8|line net amount 1|basis 0.8|position amount 1|net 0.6|gross 0.6",
        "net gross amount total",
    ),
    _concept(
        "item_name",
        Kind.TEXT,
        "description|description name|item|item name|item description|product|product name"
        "|product description|service description|name|line description"
        "|item title|description service|description item|position description|line item|service",
        "description 1|product 0.95|item 0.85|delivery 0.6|product title 1|title 0.7|item description 1"
        "|item name 1|product name 1|product description 1|service 0.6|name 0.6|description service 0.9"
        "|service description 0.9",
        "product service name",
    ),
    _concept(
        "item_code",
        Kind.CODE,
        "item number|item code|product code|product number|sku|code|item reference|product reference",
        "item number 1|product code 1|item code 1|product number 1|code 0.95|sku 1",
    ),
    _concept(
        "tax_rate",
        Kind.PERCENT,
        "tax rate|tax percent|line tax percent|percent tax",
        "tax rate 1|tax percent 1|tax 0.8",
        "percent",
    ),
    _concept(
        "document_type",
        Kind.TEXT,
        "document type|form type|type|type document|type form"
        "|type registration document|document type registration",
        "document type 1|form type 1|type 0.6",
    ),
    _concept(
        "title",
        Kind.TEXT,
        "title|document title",
        "title 0.9|document title 1",
    ),
    _concept(
        "effective_date",
        Kind.DATE,
        "effective date|contract effective date|commencement date|from contract|contract from date|effective",
        "effective date 1|commencement date 0.9",
    ),
    _concept(
        "first_party",
        Kind.NAME,
        "first party|disclosing party",
        "first party 1|disclosing party 0.7",
    ),
    _concept(
        "second_party",
        Kind.NAME,
        "second party|receiving party",
        "second party 1|receiving party 0.7",
    ),
    _concept(
        "governing_law",
        Kind.PLACE,
        "governing law|applicable law|jurisdiction|governing jurisdiction"
        "|state governing law|country governing law|governing law state",
        "governing law 1|applicable law 0.9|jurisdiction 0.8",
    ),
    _concept(
        "duration",
        Kind.DURATION,
        "duration|contract duration|period contract|contract period",
        "duration 1|contract duration 1",
    ),
    _concept(
        "court",
        Kind.PLACE,
        "court|court city",
        "court city 0.8",
    ),
    _concept(
        "fee",
        Kind.AMOUNT,
        "fee|contract fee|contract price|fee amount",
        "fee 1|contract price 0.9|price 0.7|contract fee 1",
    ),
    _concept(
        "opening_balance",
        Kind.AMOUNT,
        "opening balance|balance from",
        "opening balance 1|balance from 1|account from 0.6|opening 0.6",
        "account",
    ),
    _concept(
        "closing_balance",
        Kind.AMOUNT,
        "closing balance|balance to|balance after|balance grand",
        "closing balance 1|balance to 1|balance grand 1|balance after 0.9|closing 0.6|account to 0.6",
        "account",
    ),
    _concept(
        "total_debits",
        Kind.AMOUNT,
        "total debit|debit total|debit",
        "total debit 1|debit 0.45",
        "amount",
    ),
    _concept(
        "total_credits",
        Kind.AMOUNT,
        "total credit|credit total|credit",
        "total credit 1|credit 0.45",
        "amount",
    ),
    _concept(
        "deposit",
        Kind.AMOUNT,
        "deposit|deposit amount|payment deposit",
        "deposit 1|payment deposit 0.9|deposit payment 0.9|deposit amount 1",
        "payment",
    ),
    _concept(
        "freight",
        Kind.AMOUNT,
        "freight|freight amount|delivery price|delivery amount|delivery fee",
        "freight 1|delivery 0.7|freight price 1|delivery price 0.9|freight delivery 1",
        "price amount delivery",
    ),
    _concept(
        "discount",
        Kind.AMOUNT,
        "discount|discount amount|discount total",
        "discount 1|discount amount 1|discount total 1",
        "amount total",
    ),
    _concept(
        "total_weight",
        Kind.NUMBER,
        "weight|total weight|gross weight|delivery weight|package weight",
        "total weight 1|gross weight 1|weight 0.6|delivery weight 0.9",
        "gross total",
    ),
    _concept(
        "packages",
        Kind.NUMBER,
        "package|package number|package quantity|quantity package",
        "package 1|package number 1|package quantity 1",
        "number quantity",
    ),
    _concept(
        "carrier",
        Kind.NAME,
        "carrier|carrier name",
        "carrier 1|carrier name 1",
    ),
    _concept(
        "contact",
        Kind.NAME,
        "contact|contact name|contact person|name contact",
        "contact 1|contact person 1|contact name 1",
        "person",
    ),
    _concept(
        "bank",
        Kind.NAME,
        "bank|bank name|name bank",
        "bank 0.6|bank name 1",
    ),
    _concept(
        "ship_to",
        Kind.NAME,
        "delivery to name|delivery name|delivery buyer|delivery buyer name|delivery customer",
        "delivery address 1|delivery to 1|delivery buyer 1|consignee 1|delivery city 0.9",
    ),
    _concept(
        "ship_to_address",
        Kind.ADDRESS,
        "delivery address|delivery to address|delivery street|delivery street city",
        "delivery address 0.9",
    ),
    _concept(
        "holder",
        Kind.NAME,
        "account holder|holder|holder name|account holder name|account name",
        "holder 1|account holder 1",
    ),
    _concept(
        "holder_address",
        Kind.ADDRESS,
        "holder address|account holder address",
        "holder address 0.9",
    ),
    _concept(
        "first_name",
        Kind.NAME,
        "firstname|firstname name",
        "firstname 1|firstname name 1|name 0.4|first name 1",
    ),
    _concept(
        "last_name",
        Kind.NAME,
        "lastname|lastname name",
        "lastname 1|lastname name 1|name 0.45|last name 1",
    ),
    _concept(
        "birth_date",
        Kind.DATE,
        "birth date|birth|date birth",
        "birth date 1|birth 0.85|date birth 1",
    ),
    _concept(
        "birth_place",
        Kind.NAME,
        "birth city|birth city name|city birth",
        "birth city 1|birth 0.6|city birth 1",
    ),
    _concept(
        "employer",
        Kind.NAME,
        "employer|employer name|employer company",
        "employer 1|company 0.7|employer name 1",
    ),
    _concept(
        "emergency_contact",
        Kind.NAME,
        "emergency contact|emergency|emergency contact name",
        "emergency contact 1|emergency 1",
    ),
    _concept(
        "membership_fee",
        Kind.AMOUNT,
        "membership fee|membership|membership amount|membership price",
        "membership fee 1|membership 1|membership amount 1|fee 0.6",
    ),
    _concept(
        "subject",
        Kind.TEXT,
        "subject|subject title",
        "subject 1|reference 0.5",
    ),
    _concept(
        "signer",
        Kind.NAME,
        "signed name|signed|name signed",
        "signed 0.8|signed name 0.9",
    ),
    _concept(
        "signature_date",
        Kind.DATE,
        "signed date|signed|date signed",
        "signed date 1|city date 0.8|signed 0.8|date 0.5",
    ),
    _concept(
        "payment_terms",
        Kind.TEXT,
        "payment terms|terms|terms payment",
        "payment terms 1|terms 0.7|payment 0.6",
    ),
    _concept(
        "cash",
        Kind.AMOUNT,
        "cash|cash amount|cash payment|payment cash|cash total",
        "cash 1|cash payment 1|payment cash 1|cash amount 1",
        "amount payment",
    ),
    _concept(
        "change",
        Kind.AMOUNT,
        "change|change amount|change due|cash change|change total",
        "change 1|change amount 1|change cash 1|change due 1",
        "amount due cash",
    ),
    _concept(
        "reference",
        Kind.CODE,
        "reference|reference number|reference supplier|reference code|document reference number",
        "reference 1|reference number 1|reference code 1",
        "number",
    ),
    _concept(
        "nationality",
        Kind.NAME,
        "nationality|nationality country|nationality name",
        "nationality 1|nationality country 1",
    ),
    _concept(
        "street",
        Kind.TEXT,
        "street|street number|street name|street address|address street|address line",
        "street 1|street number 1|street address 1|address 0.55|address street 1",
        "number address",
    ),
    _concept(
        "city",
        Kind.TEXT,
        "city|city zip|zip city|city name|city address|zip city name",
        "city 1|city zip 1|zip 0.6|zip city 1",
        "zip code number",
    ),
    _concept(
        "occupation",
        Kind.NAME,
        "occupation|occupation title|occupation name",
        "occupation 1|occupation title 1",
        "title",
    ),
    _concept(
        "booking_text",
        Kind.TEXT,
        "purpose|purpose description|description purpose|description",
        "purpose 1|description 1|title 0.8|subject 0.6|item 0.5",
    ),
    _concept(
        "row_date",
        Kind.DATE,
        "date|purpose date|date purpose|amount date",
        "date 1|purpose date 1|amount date 0.9|date amount 0.9|booked 1|booked date 1"
        "|currency 0.4|currency date 0.9|f amount 0.6",
        "purpose amount",
    ),
    _concept(
        "row_debit",
        Kind.AMOUNT,
        "debit|debit amount",
        "debit 1",
        "amount",
    ),
    _concept(
        "row_credit",
        Kind.AMOUNT,
        "credit|credit amount",
        "credit 1|payment 0.5",
        "amount",
    ),
    _concept(
        "row_balance",
        Kind.AMOUNT,
        "balance|account balance|balance after",
        "balance 1",
        "account",
    ),
    _concept(
        "row_weight",
        Kind.NUMBER,
        "weight|gross weight|weight gross",
        "weight 1|gross weight 1",
        "gross net",
    ),
    _concept(
        "notice_period",
        Kind.DURATION,
        "notice period|contract notice period",
        "notice period 1|notice 0.6",
    ),
    _concept(
        "parties",
        Kind.NAME,
        "party|party name|contract party|contract party name|name party",
        "party 0.6|contract party 0.8",
    ),
    _concept(
        "advertiser",
        Kind.NAME,
        "advertiser|advertiser name|name advertiser|customer advertiser|advertiser customer",
        "advertiser 1|advertiser name 1",
        "name",
    ),
    _concept(
        "registrant",
        Kind.NAME,
        "registrant|registrant name|name registrant",
        "registrant 1|registrant name 1|name registrant 1",
        "name",
    ),
    _concept(
        "payment_method",
        Kind.TEXT,
        "payment method|payment type",
        "payment method 1|payment type 0.9|payment 0.5",
    ),
)
BY_KEY = {concept.key: concept for concept in CONCEPTS}
ITEM_CONCEPTS = frozenset(
    {"quantity", "unit_price", "line_amount", "item_name", "item_code", "tax_rate"}
    | {"booking_text", "row_date", "row_debit", "row_credit", "row_balance", "row_weight"}
)
"""Concepts that are fields of a table's row."""
OF_TRADE = ITEM_CONCEPTS | frozenset(
    {
        "total",
        "due_payable",
        "line_sum",
        "net",
        "tax",
        "discount",
        "freight",
        "deposit",
        "supplier",
        "buyer",
        "ship_to",
    }
    | {"invoice_number", "order_number", "quote_number", "credit_note_number", "delivery_note_number"}
    | {"receipt_number", "customer_number", "due_date", "order_date", "delivery_date", "flight"}
)
"""Concepts that only papers of trade have."""
