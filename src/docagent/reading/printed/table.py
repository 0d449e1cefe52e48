"""The words and signs that printed documents use, as data: months, currencies, answers, labels. Code is elsewhere.

Words are written as their language writes them; readers fold case and accents away.
"""

from __future__ import annotations

MONTHS = {
    "en": "january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sept sep"
    "|october oct|november nov|december dec",
    "de": "januar jan jänner|februar feb feber|märz mär mrz maerz|april apr|mai|juni jun|juli jul|august aug"
    "|september sept sep|oktober okt|november nov|dezember dez",
    "fr": "janvier janv|février févr fév|mars|avril avr|mai|juin|juillet juil|août aou|septembre sept|octobre oct"
    "|novembre nov|décembre déc",
    "es": "enero ene|febrero feb|marzo mar|abril abr|mayo may|junio jun|julio jul|agosto ago|septiembre sep setiembre"
    "|octubre oct|noviembre nov|diciembre dic",
    "it": "gennaio gen|febbraio feb|marzo mar|aprile apr|maggio mag|giugno giu|luglio lug|agosto ago|settembre set"
    "|ottobre ott|novembre nov|dicembre dic",
    "nl": "januari jan|februari feb|maart mrt|april apr|mei|juni jun|juli jul|augustus aug|september sep|oktober okt"
    "|november nov|december dec",
    "pt": "janeiro jan|fevereiro fev|março mar|abril abr|maio mai|junho jun|julho jul|agosto ago|setembro set"
    "|outubro out|novembro nov|dezembro dez",
    "pl": "stycznia styczeń sty|lutego luty lut|marca marzec mar|kwietnia kwiecień kwi|maja maj|czerwca czerwiec cze"
    "|lipca lipiec lip|sierpnia sierpień sie|września wrzesień wrz|października październik paź"
    "|listopada listopad lis|grudnia grudzień gru",
    "cs": "ledna leden|února únor|března březen|dubna duben|května květen|června červen|července červenec|srpna srpen"
    "|září|října říjen|listopadu listopad|prosince prosinec",
    "sk": "januára január|februára február|marca marec|apríla apríl|mája máj|júna jún|júla júl|augusta august"
    "|septembra september|októbra október|novembra november|decembra december",
    "hu": "január jan|február febr|március márc|április ápr|május máj|június jún|július júl|augusztus aug"
    "|szeptember szept|október okt|november nov|december dec",
    "ro": "ianuarie ian|februarie febr|martie mart|aprilie apr|mai|iunie iun|iulie iul|august aug|septembrie sept"
    "|octombrie oct|noiembrie nov|decembrie dec",
    "sv": "januari jan|februari feb|mars|april apr|maj|juni jun|juli jul|augusti aug|september sep|oktober okt"
    "|november nov|december dec",
    "da": "januar jan|februar feb|marts mar|april apr|maj|juni jun|juli jul|august aug|september sep|oktober okt"
    "|november nov|december dec",
    "nb": "januar jan|februar feb|mars|april apr|mai|juni jun|juli jul|august aug|september sep|oktober okt"
    "|november nov|desember des",
    "fi": "tammikuuta tammikuu|helmikuuta helmikuu|maaliskuuta maaliskuu|huhtikuuta huhtikuu|toukokuuta toukokuu"
    "|kesäkuuta kesäkuu|heinäkuuta heinäkuu|elokuuta elokuu|syyskuuta syyskuu|lokakuuta lokakuu"
    "|marraskuuta marraskuu|joulukuuta joulukuu",
    "tr": "ocak|şubat|mart|nisan|mayıs|haziran|temmuz|ağustos|eylül|ekim|kasım|aralık",
    "ru": "января январь|февраля февраль|марта март|апреля апрель|мая май|июня июнь|июля июль|августа август"
    "|сентября сентябрь|октября октябрь|ноября ноябрь|декабря декабрь",
    "uk": "січня січень|лютого лютий|березня березень|квітня квітень|травня травень|червня червень|липня липень"
    "|серпня серпень|вересня вересень|жовтня жовтень|листопада листопад|грудня грудень",
    "el": "ιανουαρίου ιανουάριος|φεβρουαρίου φεβρουάριος|μαρτίου μάρτιος|απριλίου απρίλιος|μαΐου μάιος"
    "|ιουνίου ιούνιος|ιουλίου ιούλιος|αυγούστου αύγουστος|σεπτεμβρίου σεπτέμβριος|οκτωβρίου οκτώβριος"
    "|νοεμβρίου νοέμβριος|δεκεμβρίου δεκέμβριος",
}
"""For each language the twelve months; for each month the form used in dates first, then its other forms."""

CURRENCIES = {
    "EUR": "€ eur euro euros",
    "USD": "$ us$ usd",
    "GBP": "£ gbp",
    "JPY": "¥ jpy 円",
    "CHF": "chf fr. sfr. sfr",
    "AUD": "$ a$ au$ aud",
    "CAD": "$ c$ ca$ cad",
    "NZD": "$ nz$ nzd",
    "SGD": "$ s$ sgd",
    "HKD": "$ hk$ hkd",
    "TWD": "nt$ twd",
    "CNY": "¥ cny rmb 元",
    "INR": "₹ rs rs. inr",
    "PKR": "rs rs. pkr",
    "LKR": "rs rs. lkr",
    "MYR": "rm myr",
    "IDR": "Rp Rp. idr",
    "THB": "฿ thb",
    "VND": "₫ vnd",
    "PHP": "₱ PHP",
    "KRW": "₩ krw 원",
    "SEK": "kr kr. sek",
    "NOK": "kr kr. nok",
    "DKK": "kr kr. dkk",
    "ISK": "kr kr. isk",
    "PLN": "zł zl pln",
    "CZK": "kč czk",
    "HUF": "Ft huf",
    "RON": "lei",
    "BGN": "bgn лв лв.",
    "RUB": "₽ rub руб руб.",
    "UAH": "₴ uah грн грн.",
    "TRY": "₺ TRY TL",
    "ILS": "₪ ils nis",
    "AED": "aed",
    "SAR": "SAR",
    "EGP": "egp",
    "ZAR": "zar",
    "NGN": "₦ ngn",
    "KES": "kes ksh",
    "BRL": "r$ brl",
    "MXN": "$ mx$ mxn",
    "ARS": "ARS",
    "CLP": "clp",
    "COP": "COP",
}
"""ISO codes and what is printed for them. Small letters are read in any case, capitals only as they stand here:
`TRY` is money and `try` is not, `Ft` is money and `ft` is a length."""

USUAL_CURRENCIES = frozenset({"USD", "JPY", "INR"})
"""What `$`, `¥` and `Rs` mean if the document names no other currency. For `kr` nobody can tell."""

YES = "yes true ja wahr oui vrai sí sì sim tak evet igen kyllä да так ναι"
NO = "no false nein falsch non faux nee não nie nej nei hayır nem нет ні όχι"
"""Answers. Those that are words of other languages too are left out: da, ne, nu, ei, and ano, which is also a year."""
MARKED = "checked selected"
UNMARKED = "unchecked unselected"

LABELS = {
    "number": "no nr nos num nbr nummer numéro número numer number id ident identnr idnr # nro n° n.º číslo "
    "čísla numeri numeros numrn",
    "date": "date datum fecha data dated dates datums dato",
    "invoice": "invoice invoices rechnung rechnungs faktura faktury facture factura fattura factuur inv "
    "handelsrechnung beitragsrechnung fatura faturas fakturan fakturor fakturę fakturu faktuur "
    "facturas fatture factures facturen",
    "receipt": "receipt beleg bon quittung kassenbon ticket reçu recibo ricevuta scontrino paragon účtenka "
    "účtenky kvitto bonnetje kassabon kassenzettel kassenbeleg reçus kwit pokwitowanie stvrzenka",
    "order": "order orders bestellung bestell bestellungs auftrag auftrags commande pedido ordine "
    "zamówienie zamówienia po bestel bestelling encomenda objednávka objednávky objednávce "
    "beställning beställnings ordern orden ordini ordre commandes pedidos",
    "contract": "contract vertrag vertrags contrat contrato contratto umowa contracts agreement umowy "
    "smlouva smlouvy smlouvě avtal avtals avtalet vereinbarung overeenkomst accord acuerdo "
    "accordo acordo contratti contrats",
    "document": "document dokument documento dokumentu doc belegs documenti doklad dokladu documentos "
    "handling",
    "customer": "kontrahent kontrahenta relatie debiteur debiteuren customer customers kunde kunden kd client "
    "cliente klant klient klienta debitor zákazník "
    "zákazníka zákaznické kund kundens clientes clienti klanten klientem klienten",
    "buyer": "płatnik plátce betalare buyer käufer acheteur comprador nabywca leistungsempfänger "
    "rechnungsempfänger recipient "
    "empfänger billto purchaser koper acquirente compratore cessionario destinatario destinataire "
    "adquirente odběratel odběratele kupující köpare köparen afnemer nabywcy kupujący committente "
    "käufers empfängers ontvanger mottagare odbiorca příjemce",
    "supplier": "absender remetente nadawca odesílatel avsändare expéditeur mittente remitente supplier seller "
    "verkäufer vendor lieferant lieferanten verkoper fournisseur vendeur "
    "proveedor vendedor fornitore sprzedawca rechnungsersteller rechnungssteller issuer "
    "provider merchant leistungserbringer creditor payee leverancier emisor emittente émetteur "
    "emitente fornecedor cedente dodavatel dodavatele prodávající leverantör leverantören "
    "säljare säljaren sprzedawcy wystawca dostawca dostawcy aussteller rechnungsstellers "
    "afzender fornitori händler verkäufers verkoopster prestataire expéditeur",
    "company": "company firma firmen unternehmen société empresa azienda store shop business organisation "
    "organization bedrijf společnost společnosti företag företaget bolag sociedad società "
    "sociedade onderneming entreprise firmy",
    "name": "name nom nombre nome naam nazwa namen names název jméno namn nomi noms navn namnet",
    "address": "address anschrift adresse dirección indirizzo adres addresses addr endereço morada adresa "
    "adresu adress domicilio adressen adresy",
    "total": "total gesamt summe totals totale totaal suma razem sum somme insgesamt ogółem endsumme "
    "endbetrag gesamtsumme summen celkem celková celkový součet totalt summa łącznie soma totaux "
    "totali totales",
    "grand": "grand final",
    "amount": "amount betrag montant importe importo bedrag kwota beträge value wert amt wartość monto "
    "valor waarde částka částky belopp beloppet valore quantia montante montants bedragen importi "
    "importes kwoty quota cuota",
    "balance": "kontostand stanje kontosaldo balance saldo solde zůstatek saldot restsaldo",
    "gross": "gross brutto ttc bruttobetrag bruto lordo lorda hrubá ilíquido",
    "net": "net netto nett ht untaxed hors neto líquido líquida",
    "tax": "tax vat ust mwst steuer umsatzsteuer mehrwertsteuer tva iva btw gst podatek taxes sst umsatz "
    "taxation dph moms imposta imposte impuesto impuestos impôt imposto impostos belasting skatt daň "
    "daně taxe podatku mervärdesskatt omzetbelasting igic kdv momsen",
    "subtotal": "subtotal zwischensumme subtotaal soustotal subtotale subtotales mezisoučet delsumma "
    "subtotaux teilsumme tussentotaal subsuma",
    "sub": "sub zwischen sous",
    "due": "zahllast doplatek restbetrag reste restant restante kvar resterande zbývá pozostaje pozostało rest "
    "due zahlungsziel fällig fälligkeit fälligkeits échéance vencimiento scadenza verval vervaldatum "
    "termin offen outstanding splatnost splatnosti splatné förfallodag förfaller échéances "
    "vencimento scade betaaltermijn fällige fälliger offener offene openstaand openstaande pendiente "
    "pendente restante zaległa nezaplaceno",
    "payable": "payable należność zahlender zahlende zahlbar zahl zahlungs pay payer pagar pagaré zapłaty "
    "betalen remit owed liquidar regler liquideren saldar saldare zahlen überweisen úhradě uhradit zaplacení betala "
    "betalas dovuto payez",
    "payment": "payment zahlung paiement pago pagamento betaling règlement płatności płatność platba platby "
    "platbu betalning betalnings betalningen pagamenti pagos úhrada úhrady paiements betalingen "
    "zahlungen",
    "quantity": "kvantitet  quantity qty menge anzahl anz quantité cantidad quantità aantal hoeveelheid ilość qté "
    "stückzahl quantities pcs množství antal quantidade qtd qtde ilości počet szt cant qta "
    "aantallen ks",
    "unit": "unit einheit einh stück stk unité einzel units each per eenheid stuk jednostkowa jednotka "
    "jednotková jednotkový enhet enhets unitaire unitario unità unidad unidade jednostka "
    "jednostkowy ud uds",
    "price": "price preis prix precio prezzo prijs cena prices pu tarif tarief preise preço preços pris "
    "priset prijzen tarifa coste prezzi ceny cenu apris",
    "description": "description beschreibung bezeichnung artikelbeschreibung désignation descripción "
    "descrizione omschrijving produkt produktbezeichnung produit leistungsbeschreibung opis "
    "details particulars libellé goods desc descrição popis beskrivning benämning oznaczenie "
    "specifikation benaming désignations concepto libellés denominación denominazione "
    "bezeichnungen",
    "item": "item items artikel article artículo artykuł art artículos articolo articoli artigo artigos "
    "položka položky artiklar towar towaru zboží vara varor towary articles",
    "title": "title titel titre título titolo tytuł nadpis rubrik",
    "product": "product products brand producto productos prodotto prodotti produto produtos produkten "
    "produktu výrobek výrobku",
    "position": "pos position positions positionen poz positie posición posizione posição poř posten",
    "line": "line zeile zeilen lines ligne línea regel linha řádek rader riga pozycja pozycje",
    "discount": "discount rabatt remise descuento sconto korting skonto desconto sleva rabat zniżka "
    "ristorno nachlass rabais ermäßigung reducción abatimento slevy skonti",
    "from": "from von desde dal od start begin beginn starting starts beginning vom begins från inicio "
    "début inizio začátek",
    "to": "to bis hasta au do end ende ending until thru through ends till fine konec slut einde koniec fim",
    "period": "period zeitraum période período okres term období tidsperiod obdobie zeitraums périodes",
    "flight": "flight flights",
    "phone": "phone tel téléphone telefon teléfono fon mobile telefoon telefonu handy telefone rufnummer "
    "tlf mobil mobiel móvil cellulare telemóvel portable",
    "fax": "fax telefax",
    "email": "email mail emails courriel emailadres epost correo mailadresse",
    "website": "website web url internet homepage site webseite webbplats hemsida sito sitio webová stránky "
    "internetseite webové página",
    "iban": "iban",
    "bic": "bic swift",
    "account": "account konto compte cuenta conto kto kontonr rekening acct účet účtu rachunku konta conta "
    "bankgiro plusgiro kontos",
    "bank": "bank banque banco banca bankverbindung bankname banka banku banche",
    "currency": "currency währung devise moneda valuta waluta měna měny waluty moeda monnaie munt divisa "
    "valutan",
    "reference": "reference referenz referencia riferimento ref referentie betreff referens kenmerk znak "
    "symbol zeichen",
    "issue": "issue issued ausstellung ausstellungs ausgestellt émission wystawienia issuing vystavení "
    "vystaveno wystawiono wystawienie emisión emissione emissão utfärdat utfärdande erstellt "
    "opgemaakt emitida émise",
    "delivery": "dodací aflever lever miejsce delivery liefer lieferung livraison entrega consegna levering "
    "leistung leistungs shipping "
    "versand shipment ship delivered dostawy dostawa dodání dodávka dodávky leverans levererad "
    "livré zustellung levertijd entregue plnění",
    "basis": "imponibile basis base taxable steuerbasis grundlage bemessungsgrundlage grondslag imponible imposable "
    "základ podstawa underlag maatstaf bas opodatkowania beskattningsunderlag",
    "terms": "terms bedingungen conditions konditionen zahlungsbedingungen podmínky warunki villkor "
    "voorwaarden condiciones condições condizioni",
    "method": "method mode zahlungsart méthode metoda sposób forma způsob sätt wijze metodo",
    "print": "print printed druck gedruckt",
    "rate": "rate satz taux tasa aliquota sazba stawka sats taxa aliquote",
    "commission": "commission provision comm",
    "alternative": "alt alternate alternative",
    "bill": "facturar faturar facturer bill billing rachunek",
    "cash": "cash bar bargeld tunai tendered tender paid gegeben hotově hotovost kontant gotówka dinheiro "
    "efectivo contanti espèces contant",
    "change": "change rückgeld wechselgeld baki växel reszta wisselgeld troco vráceno rendu",
    "service": "service služba usługa tjänst dienst servizio servicio serviço prestation",
    "registration": "registration reg registered registrazione registro rejestr",
    "booked": "booked gebucht bokförd bokföringsdag geboekt zaksięgowano zaúčtováno contabilizado",
    "vatin": "vatin nif cif dič nipc contribuinte momsreg momsregistrerings",
    "consignee": "consignee warenempfänger lieferempfänger destinazione destino destination",
    "fee": "fee fees remuneration vergütung honorar honoraires honorarios compenso onorario remuneração "
    "vergoeding honorarium wynagrodzenie odměna arvode ersättning rémunération remuneración",
    "city": "city ort stadt ville ciudad città plaats miasto localidad località localidade město stad "
    "woonplaats miejscowość",
    "zip": "zip postal postcode plz psč postnummer postleitzahl postkod cp",
    "country": "country land pays país paese kraj země kraju lands",
    "street": "street straße rue calle straat ulica ulice gata via",
    "state": "state province bundesland",
    "revision": "revision rev revisions revize rewizja",
    "original": "original",
    "code": "code kod código codice kode",
    "type": "type typ kind sort tipo druh rodzaj typen soort sorte",
    "debit": "debe debit debits debited belastung belastungen abbuchung abbuchungen abgang soll lastschriften "
    "cargo cargos adeudo adeudos débito débitos addebito addebiti dare uscite uscita afschrijving "
    "afschrijvingen afgeschreven debet wypłata wypłaty obciążenie obciążenia obciążeń výběr výběry "
    "odepsáno výdaje výdej odchozí uttag utbetalning utbetalningar withdrawals withdrawal "
    "levantamentos saídas utgifter",
    "credit": "entrée haber credit credits credited gutschrift gutschriften einzahlung einzahlungen zugang haben "
    "avoir "
    "abono abonos ingreso ingresos haber accredito accrediti avere entrate entrata crédito "
    "créditos entradas bijschrijving bijschrijvingen bijgeschreven bij creditnota uznanie uznania "
    "uznań wpłata wpłaty příjem příjmy připsáno dobropis dobropisu kreditnota insättning "
    "insättningar kreditfaktura kreditfakturanummer deposits depósitos",
    "statement": "statement statements kontoauszug auszug auszugs extracto extractos relevé relevés "
    "estratto extrato afschrift rekeningafschrift wyciąg wyciągu wyciągi výpis výpisu "
    "kontoutdrag utdrag",
    "opening": "previous anterior precedente poprzednie poprzedni předchozí alter ancien vorig vorige föregående "
    "opening initial anfangs inicial iniziale początkowe początkowy počáteční ingående vortrag "
    "anfangsbestand",
    "closing": "new nuevo nuovo novo nouveau neuer nieuw nieuwe nowe nowy nový nytt ny closing abschluss końcowe "
    "końcowy konečný konečné utgående endbestand finale",
    "purpose": "purpose buchungstext verwendungszweck vorgang opération opérations operación operazione "
    "causale operacja operacji transaktion transakce transaction transactions movimiento "
    "movimento účel ändamål text tekst buchung händelse narrative descritivo",
    "weight": "weight gewicht poids peso waga hmotnost vikt kg masa nettogewicht gewichten",
    "package": "package packages parcels packstücke paket pakete colis bultos bulto colli volumes paczki "
    "paczek opakowań balíky balíků balík kolli",
    "carrier": "carrier spediteur spedition frachtführer transporteur transportista vettore corriere "
    "transportadora vervoerder przewoźnik dopravce transportör speditör",
    "freight": "poštovné  freight fracht versandkosten frachtkosten port ports portes verzendkosten wysyłki "
    "transportu transporte doprava dopravné přepravné frakt fraktkostnad spedizione trasporto "
    "envío porto expédition postage",
    "deposit": "uhrazeno deposit prepaid prepayment anzahlung vorauszahlung acompte acomptes anticipo acconto "
    "adiantamento sinal voorschot aanbetaling vooruitbetaald zaliczka zaliczki zapłacono záloha "
    "zálohy zaplaceno förskott förskottsbetalning",
    "birth": "birth born geburt geburts naissance nacimiento nascita nascimento geboorte "
    "geboren urodzenia urodzony narození narozen födelse född",
    "nationality": "nationality citizenship staatsangehörigkeit nationalität nationalité nacionalidad "
    "nazionalità cittadinanza nacionalidade nationaliteit obywatelstwo narodowość národnost "
    "občanství medborgarskap nationalitet",
    "occupation": "occupation profession job beruf métier profesión ocupación professione occupazione "
    "profissão ocupação beroep zawód povolání yrke profesja zaměstnání",
    "employer": "employer arbeitgeber employeur empleador datore empregador werkgever pracodawca "
    "zaměstnavatel arbetsgivare",
    "marital": "marital familienstand matrimonial civil civile cywilny rodinný civilstånd "
    "familjeförhållande burgerlijke",
    "firstname": "vorname vornamen prénom prénoms forename imię imiona křestní förnamn voornaam voornamen "
    "rufname",
    "lastname": "nachname familienname surname lastname apellido apellidos cognome apelido apelidos "
    "achternaam nazwisko příjmení efternamn",
    "emergency": "emergency notfall urgence emergencia emergenza noodgeval noodcontact nouze nouzový "
    "anhörig nödkontakt nödsituation wypadku",
    "membership": "membership mitglieds mitgliedschaft cotisation associativa associazione contributie "
    "lidmaatschap lidmaatschapsgeld składka členský členské medlems medlemsavgift "
    "mitgliedsbeitrag jahresbeitrag sócio quotas",
    "subject": "subject objet asunto oggetto assunto onderwerp dotyczy věc ärende",
    "contact": "contact kontakt ansprechpartner ansprechpartnerin interlocuteur contacto contatto "
    "contactpersoon kontaktperson kontaktní referente",
    "holder": "holder inhaber kontoinhaber titulaire titular intestatario rekeninghouder posiadacz majitel "
    "kontohavare",
    "identity": "ausweis ausweisnummer identité identità identidade identidad passport passeport passnummer "
    "dowodu dowód průkazu průkaz legitimation",
    "insurance": "insurance krankenversicherung versicherung assurance seguro assicurazione verzekering "
    "ziektekostenverzekering ubezpieczenie pojištění sjukförsäkring",
    "newsletter": "newsletter bulletin boletín nieuwsbrief biuletyn zpravodaj nyhetsbrev nyhetsbrevet "
    "notiziario",
    "packing": "lieferschein lieferscheins albarán bolla ddt pakbon följesedel",
    "quote": "quote quotation angebot angebots devis presupuesto preventivo orçamento offerte oferta oferty "
    "nabídka nabídky offert",
    "ordered": "bestellt objednáno beställd besteld zamówiono encomendado ordinato pedida",
    "signed": "signed unterschrift signature signé firmado firmato assinado ondertekend podpis podpisano "
    "undertecknat unterzeichnet",
}
"""What a word of a label means: one meaning for each word, in all languages."""

COMPOUND_ENDINGS = {
    "number": "nummer nr number",
    "date": "datum date dag",
    "amount": "betrag bedrag belopp",
    "total": "summe totaal summa",
    "price": "preis prijs pris",
    "name": "name namn naam",
    "address": "adresse anschrift adress adres",
    "rate": "satz sats",
    "quantity": "menge",
    "description": "bezeichnung beschreibung omschrijving beskrivning benämning",
    "account": "konto rekening",
    "balance": "saldo stand",
    "city": "ort plaats",
    "weight": "gewicht vikt",
    "fee": "gebühr avgift beitrag",
}
"""The last parts of German and Dutch compounds, by meaning. The last part says what the whole is."""
NO_COMPOUNDS = "port fort wort kort"
"""How words end that only look like compounds: `Transport` is no `Ort`."""

EXCLUDING = (
    "excl exkl exclusive exclusief ohne before without excluding hors avant sin senza sem zonder bez utan "
    "exklusive esclusa "
    "escluso excluido"
)
INCLUDING = (
    "incl inkl inclusive including inklusive mit inclusief with con avec com med comprese compreso compresa "
    "comprises included "
    "einschließlich toutes incluido incluida"
)

SMALL_WORDS = (
    "the a an of this that your our and on for in is at by plus "
    "der die das des dem den im am und ihre unsere zur zum zzgl zuzüglich "
    "de du la le les el los il lo di del della van het een d l uw et i w z"
)
"""Words that say nothing in a label."""

FAMILIES = (
    "total gross",
    "amount price",
    "number code reference",
    "date tag jour",
    "invoice bill receipt",
    "due payable",
    "net subtotal basis",
    "address street",
    "customer buyer bill sold besteller",
    "supplier company from",
    "quantity hours",
    "price unit",
    "description item product",
    "phone fax",
    "from since first",
    "to last",
    "contract order estimate",
    "line position item row",
    "rate percent %",
)
"""Meanings and other words that may stand for one another: the label of a field `price` may be `Amount`."""
