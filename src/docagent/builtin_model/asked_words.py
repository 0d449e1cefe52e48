"""How people ask for fields: words and phrases of names and descriptions in schemas, by what they mean.

These words count in schemas only. Words that also stand on papers as labels are in
`reading/printed/table.py`. A phrase may
mean several things at once: `left to pay` is `due payable`. Words are written as their language writes them; readers
fold case and accents away, and know `ae` for `ä`.
"""

ASKED = {
    "number": "no|n|nr|num|nro|numéro|číslo",
    "supplier": "who sold|who issued|who sends|that sends|that issued|sold by|issued by|billed by|retailer|dealer"
    "|dealership|payee|beneficiary|die rechnung stellt|rechnung stellt|ausgestellt von|émet la facture"
    "|qui émet|qui a émis|émetteur|commerçant|bénéficiaire|que emite|quien emite|emisora|acreedor"
    "|comerciante|che emette|esercente|beneficiario|lojista|credor|die de factuur stuurt"
    "|dat de factuur stuurt|begunstigde|która wystawiła|sprzedający|který vystavil|prodejce|obchodník"
    "|som skickar|utfärdare|handlare|trader|tradesman|zahlungsempfänger|issuing company"
    "|issuing business|establishment",
    "company": "shop name|shop|store|restaurant|business|outlet|geschäft|geschäfts|laden|ladens|händler|magasin"
    "|boutique|comercio|tienda|negozio|loja|winkel|zaak|sklep|sklepu|obchod|obchodu|butik|butiken|firm"
    "|enterprise|unternehmens|organización|organizacja|établissement|establecimiento|estabelecimento"
    "|esercizio",
    "buyer": "who bought|bought by|billed to|addressed to|invoiced to|whom the|invoicee|payer"
    "|facturar a|faturar a|fatturare a|fatturato a|factureren aan|fakturera till"
    "|an den die rechnung geht|rechnungsadressat|facturé à|adressée à|dirigida a|facturado a"
    "|intestatario|intestata a|faturado a|gefactureerd aan|wystawiona dla|vystavená pro|fakturerad till"
    "|fakturamottagare"
    "|recipient of the bill|recipient of the invoice|invoiced party|party that is invoiced|one who is billed"
    "|made out to|who purchased|purchasing company|paying party|debtor",
    "customer": "client|patron|guest|kundin|mandant",
    "advertiser": "advertiser|sponsor|anunciante|annonceur|inserzionista|adverteerder|reklamodawca|inzerent|annonsör"
    "|werbekunde|werbekunden|werbetreibender|werbetreibenden|werbender|who pays for the advertisements"
    "|who advertises|advertising client",
    "registrant": "registrant|registrants|who registers|registering party|registered person"
    "|person or organisation that is registered|registrante|registrado|inscrito|registrierter"
    "|registrierten|registrierte|déclarant|inscrit|dichiarante|registrato|registado|geregistreerde"
    "|rejestrujący|registrující|registrerad|filer|filed by",
    "party": "party|parties|contracting parties|contracting party|contract parties|signatories|signatory"
    "|counterparties|counterparty|everyone who enters|enters into the agreement|partei|parteien"
    "|vertragspartei|vertragsparteien|vertragspartner|parties contractantes|cocontractants|parte|partes"
    "|partes contratantes|parti contraenti|contraenti|contratantes|partij|partijen|strona|strony"
    "|strona umowy|strany|smluvní strany|avtalspart|avtalsparter|parterna|part",
    "due payable": "left to pay|left to be paid|remains to be paid|remaining to pay|still to pay|still owed|owed"
    "|outstanding|amount owing|open amount|to be paid|noch zu zahlen|zu zahlen|zu bezahlen|offen"
    "|restbetrag|zahlbetrag|rechnungsendbetrag|reste à payer|restant dû|net à payer|à régler"
    "|pendiente de pago|por pagar|a pagar|importe adeudado|ancora da pagare|da pagare|da saldare"
    "|em dívida|por liquidar|nog te betalen|te betalen|openstaand bedrag|do zapłaty"
    "|pozostało do zapłaty|zbývá uhradit|k úhradě|k zaplacení|kvar att betala|att betala|had to pay"
    "|has to pay|must be paid|zu zahlen war|amount paid|gezahlt|betaald moet",
    "due date": "pay until|pay by|payable by|payable until|paid by|last day for paying|last day to pay"
    "|payment deadline|deadline|zahlungsziel|zahlungsfrist|zahlbar bis|zu zahlen bis|bis wann zu zahlen"
    "|fällig am|date limite de paiement|à payer avant|payer avant|avant quand|fecha límite de pago"
    "|pagar antes|entro quando|da pagare entro|pagare entro|prazo de pagamento|pagar até"
    "|uiterste betaaldatum|betalen voor|voor welke dag|zapłacić do|płatne do|ostatni dzień płatności"
    "|termin zapłaty|datum splatnosti|zaplatit do|sista betalningsdag|betalas senast|förfallodag",
    "issue date": "billed on|issued on|dated|was issued|was written|day of issue|wurde ausgestellt|ausgestellt wurde"
    "|ausstellungstag|établie|date d'émission|émise le|fue emitida|emitida el|fecha de emisión"
    "|data di emissione|emessa il|data de emissão|is opgemaakt|opgemaakt|wystawiono|data wystawienia"
    "|vystavena|datum vystavení|utfärdades|utställd"
    "|written on|day of writing|drawn up|made out|day the document was made out|letter date|date of the letter"
    "|printed on the document|creation date|when it was made",
    "receipt date": "purchased on|bought on|day of the purchase|purchase day|date of sale|day of sale|kaufdatum"
    "|datum des einkaufs|einkaufsdatum|einkaufstag|date d'achat|jour de l'achat|fecha de compra"
    "|data acquisto|data di acquisto|data da compra|aankoopdatum|data zakupu|datum nákupu|inköpsdatum"
    "|köpdatum|transaction day",
    "currency": "money unit|unit of money|monetary unit|currency code|iso 4217|währungseinheit|münze"
    "|unité monétaire|munteenheid|jednostka pieniężna|peněžní jednotka|valuta",
    "iban": "iban|international bank account number|international account number|bank account|bankverbindung"
    "|kontoverbindung|compte bancaire|coordonnées bancaires|cuenta bancaria|conto corrente"
    "|conto bancario|conta bancária|bankrekening|bankrekeningnummer|rekeningnummer|kontonummer|konto bankowe"
    "|numer rachunku|rachunek bankowy|bankovní účet|číslo účtu|bankkonto|bankkontonummer",
    "bic": "bic|swift|swift code|bic code|bank code|bank identifier code|code banque"
    "|bankleitzahl international|código bic|codice bic",
    "tax number": "vat id|vat no|vatin|tax id|tin|vat identification number|vat identification|vat registration"
    "|tax identification|ust id|ustid|ust idnr|umsatzsteuer id|umsatzsteuer identifikationsnummer"
    "|steuernummer|tva intracommunautaire|numéro de tva|nif|cif|nif iva|identificación fiscal"
    "|partita iva|p iva|codice fiscale|contribuinte|nipc|btw id|btw nummer|nip|numer nip"
    "|identyfikacji podatkowej|dič|daňové identifikační|momsregistreringsnummer|vat nummer"
    "|tax registration",
    "phone": "call us|phone number|telephone number|to call|contact number|téléphoner|llámenos|chiamaci|bel ons"
    "|zadzwoń|zavolejte",
    "email": "write us|write to us|mail|e mail|email address|e mail address|mail address|mail addresses"
    "|adresse électronique|adresse mail|posta elettronica|poczta|poczta elektroniczna"
    "|correo electrónico|correio eletrónico|e mailadres|e post|elektronická pošta|escríbanos|scrivici",
    "website": "homepage|home page|web address|web site|web page|internet address|internetadresse|internetseite"
    "|webadresse|site internet|site web|página web|sitio web|sito internet|sito web|strona internetowa"
    "|strona www|adres strony|adresa webu|webová stránka|webbadress|site|url|online at",
    "address": "location|postal address|where the shop is|place of business|anschrift|standort|sitz|ubicación"
    "|emplacement|ubicazione|localização|vestigingsadres|siedziba|sídlo|street postcode town"
    "|street and town",
    "line total": "sum of positions|sum of lines|sum of items|sum of the lines|sum of the items|total of the lines"
    "|total of lines|total of the items|items subtotal|items total|lines total|goods total"
    "|merchandise total|all positions added up|positionssumme|summe der positionen|alle positionen"
    "|warenwert|somme des lignes|total des lignes|total articles|suma de las líneas|total de las líneas"
    "|somma delle righe|totale righe|soma das linhas|som van de regels|totaal regels|suma pozycji"
    "|součet položek|summa rader|radsumma",
    "net": "before tax|before vat|without tax|without vat|excluding tax|excluding vat|excl tax|excl vat"
    "|net of tax|pre tax|pretax|untaxed|ex vat|before taxes|without taxes|exclusive of tax|ohne steuer"
    "|ohne steuern|ohne umsatzsteuer|ohne mwst|vor steuer|vor steuern|hors taxe|hors taxes|hors tva"
    "|avant taxes|avant impôts|sin iva|sin impuestos|antes de impuestos|senza iva|iva esclusa|al netto"
    "|netto iva|prima delle imposte|sem iva|sem impostos|antes de impostos|zonder btw|excl btw"
    "|exclusief btw|voor belasting|bez podatku|bez vat|przed opodatkowaniem|bez dph|bez daně|utan moms"
    "|exkl moms|före skatt",
    "gross": "including tax|including vat|incl tax|incl vat|with tax|with vat|plus tax|plus vat|inclusive of tax"
    "|tax included|taxes included|mit steuer|mit mwst|inkl mwst|inkl steuer|einschließlich umsatzsteuer"
    "|inklusive steuer|samt steuer|toutes taxes comprises|taxes comprises|tva comprise|tva incluse|ttc"
    "|avec taxes|con iva|iva incluido|impuestos incluidos|con impuestos|iva compresa|iva inclusa|ivato"
    "|com iva|com impostos|iva incluído|inclusief btw|incl btw|met btw|z podatkiem|z vat|w tym vat"
    "|s dph|včetně dph|s daní|med moms|inkl moms|inklusive moms",
    "tax": "value added tax|sales tax|goods and services tax|umsatzsteuer|mehrwertsteuer"
    "|taxe sur la valeur ajoutée|impuesto sobre el valor añadido|imposta sul valore aggiunto"
    "|imposto sobre o valor acrescentado|belasting toegevoegde waarde|podatek od towarów i usług"
    "|daň z přidané hodnoty|mervärdesskatt",
    "gross total": "before commission|before the agency's commission|before agency commission|comes to with tax"
    "|in the end",
    "flight": "flight|campaign|airing|airs|aired|broadcast|broadcasting|on air|kampagne|kampagnen|werbekampagne"
    "|campaña|campana|campagne|campagna|campanha|kampania|kampanii|kampaň|kampaně|kampanj|sendezeitraum"
    "|sendezeitraums|sendezeit|diffusion|emisión publicitaria",
    "from": "start|starts|begin|begins|began|beginning|first day|starting|commence|commences|beginn|beginnt"
    "|anfang|erster tag|ersten tag|premier jour|début|commencement|primer día|comienzo|empieza"
    "|primo giorno|inizia|primeiro dia|começa|eerste dag|begint|aanvang|pierwszy dzień|początek"
    "|první den|začátek|začíná|první|första dagen|börjar|startar|start date",
    "to": "end|fin|fine|fim|ends|ended|ending|last day|finish|finished|letzter tag|letzten tag|endet"
    "|dernier jour|finit|último día|termina|ultimo giorno|finisce|último dia|laatste dag|eindigt"
    "|ostatni dzień|kończy|poslední den|končí|sista dagen|slutar|end date",
    "effective date": "effective date|in force from|takes effect|take effect|comes into force|entry into force"
    "|agreement date|contract date|date of the agreement|date of agreement|signed on"
    "|from which the agreement applies|from which the contract applies|vertragsbeginn|vertragsdatum"
    "|inkrafttreten|tritt in kraft|ab dem die vereinbarung gilt|ab dem der vertrag gilt"
    "|date d'entrée en vigueur|entrée en vigueur|prise d'effet|date du contrat|entrada en vigor"
    "|fecha de entrada en vigor|fecha de vigencia|fecha del contrato|entrata in vigore"
    "|data di decorrenza|data del contratto|entrada em vigor|data do contrato|ingangsdatum"
    "|datum van inwerkingtreding|data wejścia w życie|obowiązuje od|data zawarcia umowy|datum účinnosti"
    "|účinnost od|datum uzavření|ikraftträdande|gäller från|avtalsdatum|commencement date"
    "|start of the contract"
    "|valid from|agreement applies|contract begins|in effect from|start of contract|starts to bind"
    "|date of the contract|becomes binding|binding from|contract start|agreement start",
    "governing law": "governing law|law governs|laws apply|laws that apply|applicable law|governed by law of"
    "|governed by"
    "|law applies|whose law|whose laws|under whose laws|law of which|choice of law|jurisdiction"
    "|law governing|anwendbares recht|recht gilt|dessen recht|geltendes recht|rechtswahl"
    "|droit applicable|loi applicable|juridiction|ley aplicable|legislación aplicable|jurisdicción"
    "|legge applicabile|giurisdizione|diritto applicabile|lei aplicável|jurisdição|toepasselijk recht"
    "|rechtsgebied|prawo właściwe|jurysdykcja|rozhodné právo|jurisdikce|tillämplig lag|jurisdiktion"
    "|legal system|under which law|law of which country|law chosen|law that applies|law of the contract|which law"
    "|legal order|legal basis country",
    "duration": "duration|term|term of agreement|term of the agreement|term of contract|contract term"
    "|length of the contract|length of the agreement|for how long|how long|laufzeit|vertragsdauer"
    "|vertragslaufzeit|dauer|wie lange|durée|durée du contrat|combien de temps|vigencia|duración|plazo"
    "|plazo de vigencia|cuánto tiempo|durata|durata del contratto|quanto tempo|duração|vigência|prazo"
    "|looptijd|duur|hoe lang|czas trwania|okres obowiązywania|jak długo|doba trvání|doba platnosti"
    "|jak dlouho|löptid|avtalstid|hur länge|giltighetstid|validity|validity period|lifetime"
    "|runs for|how long it runs|validity of the agreement|for what time|length of the term|contract length"
    "|concluded for|agreement lasts|contract lasts|lasts for",
    "notice period": "notice period|period of notice|termination notice|notice of termination|kündigungsfrist|préavis"
    "|délai de préavis|preaviso|plazo de preaviso|preavviso|periodo di preavviso|aviso prévio"
    "|opzegtermijn|okres wypowiedzenia|výpovědní doba|výpovědní lhůta|uppsägningstid"
    "|notice time|give notice|cancellation period|terminating|when terminating|notice to terminate|time of notice"
    "|how early|period for cancelling|cancellation notice|end notice must be given|before leaving the contract",
    "court": "court|place of the court|competent court|competent courts|court that decides|gerichtsstand"
    "|zuständiges gericht|tribunal compétent|lieu de juridiction|tribunal competente|juzgado competente"
    "|foro competente|comarca|bevoegde rechtbank|właściwy sąd|příslušný soud|behörig domstol|forum"
    "|place of jurisdiction|lawsuits|where disputes|decides disputes|settles disputes|court location"
    "|seat of the court|courts that are competent|forum for disputes|disputes are heard|place of venue",
    "fee": "fee|agreed fee|remuneration|compensation|how much is paid|contract price|contract value"
    "|agreed price|vergütung|honorar|entgelt|rémunération|honoraires|remuneración|honorarios|compenso"
    "|onorario|corrispettivo|remuneração|honorários|vergoeding|wynagrodzenie|honorarium|odměna|arvode"
    "|ersättning"
    "|consideration|agreed sum|services cost|payment for the services|paid for the performance"
    "|price of the services|contract sum|amount agreed|agreed amount|contract amount",
    "first party": "party a|first party|party one|first contracting party|party named first|erste partei"
    "|première partie|primera parte|prima parte|primeira parte|eerste partij|pierwsza strona"
    "|první strana|första parten"
    "|the first party|named first|first of the parties",
    "second party": "party b|second party|party two|second contracting party|party named second|other party"
    "|zweite partei|seconde partie|deuxième partie|segunda parte|seconda parte|tweede partij"
    "|druga strona|druhá strana|andra parten",
    "document type": "kind of filing|kind of form|kind of document|type of form|type of document"
    "|type of the registration document|which form|which kind of form|formularart|art des formulars"
    "|welches formular|dokumentart|dokumenttyp|belegart|type de formulaire|type de document"
    "|tipo de formulario|tipo de documento|tipo di modulo|tipo di documento|soort formulier"
    "|soort document|rodzaj formularza|rodzaj dokumentu|typ formuláře|druh dokumentu|typ av formulär"
    "|formulärtyp|filing type|form kind",
    "description": "article or service|what was sold|what was bought|thing billed|goods or services|was verkauft "
    "wurde"
    "|ware|leistung|bien ou service|qué se vendió|cosa è stato venduto|wat is verkocht|co sprzedano"
    "|co bylo prodáno|vad som såldes|name of the product|artikelbezeichnung|article|nazwa towaru"
    "|název zboží|item text|line text"
    "|what is listed|description of the goods|what was delivered|delivered or done|row is about|item name"
    "|what it is|goods description|name of the item|position text",
    "quantity": "how many|how much|number of units|units sold|pieces|count|wie viele|wie viel|stückzahl|combien"
    "|nombre d'unités|cuántos|número de unidades|quanti|numero di unità|quantos|hoeveel|ile|liczba"
    "|liczba sztuk|kolik|počet kusů|hur många|antal enheter"
    "|quantity of the item|units|how many units|quantity|amount of pieces|count of pieces|pcs",
    "unit price": "price each|price of one|price per piece|price per unit|price per item|cost per unit|unit cost"
    "|price for a single unit|for one|each|einzelpreis|stückpreis|preis pro stück|preis je stück"
    "|preis für ein stück|prix unitaire|prix à l'unité|precio unitario|precio por unidad"
    "|prezzo unitario|prezzo per unità|preço unitário|stukprijs|eenheidsprijs|prijs per stuk"
    "|cena jednostkowa|cena za sztukę|jednotková cena|cena za kus|styckpris|pris per styck|à pris"
    "|price of each|single price|price for one|one piece costs|cost of one|piece price|single unit price"
    "|price of a piece",
    "line amount": "price all|price for all|amount of the line|total of the line|total of the item|line value"
    "|whole line|for all units|betrag der position|nettobetrag der position|gesamtpreis|zeilensumme"
    "|zeilenbetrag|montant de la ligne|total ligne|importe de la línea|importo della riga"
    "|valor da linha|regelbedrag|regeltotaal|wartość pozycji|kwota pozycji|částka položky|cena položky"
    "|radbelopp|radsumma"
    "|sum of the row|value of the item|price of the row|row total|row sum|row amount|whole row|amount of the row"
    "|total of the row|item total|extended price",
    "order number": "order no|po number|purchase order no|bestellnr|auftragsnr|bon de commande|numéro de commande"
    "|número de pedido|numero ordine|número da encomenda|bestelnummer|numer zamówienia|číslo objednávky"
    "|beställningsnummer"
    "|customer order|under which the customer ordered|po|purchase order number|our order"
    "|reference of the purchase order|order reference|order identifier",
    "invoice number": "bill no|bill number|identifies this bill|identifies the invoice|invoice id|invoice no|bill id"
    "|belegnummer|rechnungsnr|num factura|num facture|numero fattura|número da fatura|factuurnr"
    "|numer faktury|číslo faktury|fakturanummer"
    "|invoice identifier|number printed on the invoice|serial number of this bill|reference of the invoice"
    "|invoice reference|bill reference|number of the bill",
    "customer number": "customer no|customer id|client number|kundennr|kundennummer|numéro client|número de cliente"
    "|codice cliente|klantnummer|numer klienta|číslo zákazníka|kundnummer",
    "document number": "document id|document no|number of this very document|dokumentnummer|numéro du document"
    "|número de documento|numero documento|documentnummer|numer dokumentu|číslo dokladu",
    "delivery date": "delivered on|date of delivery|shipped on|lieferdatum|liefertag|leistungsdatum|date de livraison"
    "|fecha de entrega|data di consegna|data de entrega|leverdatum|data dostawy|datum dodání"
    "|leveransdatum"
    "|dispatch date|dispatched on|goods left|goods arrive|arrival date|left the warehouse|date of supply"
    "|supply date|handed over on",
    "tax rate": "tax rate|vat rate|rate of tax|steuersatz|mwst satz|ust satz|taux de tva|tipo de iva|aliquota iva"
    "|taxa de iva|btw tarief|btw percentage|stawka vat|sazba dph|momssats"
    "|tax percentage|percentage of tax|rate of tax in percent|vat percent|tax percent|vat in percent"
    "|percent of vat",
    "payment method": "paid with|means of payment|payment method|how it was paid|zahlungsart|zahlungsweise"
    "|zahlungsmittel"
    "|moyen de paiement|mode de paiement|forma de pago|método de pago|metodo di pagamento"
    "|modalità di pagamento|forma de pagamento|betaalwijze|betaalmethode|sposób płatności"
    "|forma płatności|způsob platby|způsob úhrady|betalningssätt",
    "debit": "money out|taken off|went off|paid out|withdrawn|withdrawal|withdrawals|outgoing|abgang|abgänge"
    "|ausgang|sortie|salida|uscita|saída|wychodzące|odchozí"
    "|left the account|amount withdrawn|withdrawal amount|debit amount|taken from the account"
    "|money that left|off the account",
    "credit": "money in|paid in|deposited|incoming|zugang|eingang|entrée|entrada|entrata|przychodzące|příchozí"
    "|deposits"
    "|came into the account|amount deposited|deposit amount|credit amount|money that came"
    "|into the account",
    "total debit": "total withdrawals|sum of all debits|everything that went off|total money out|all debits"
    "|total out|outgoing payments|total of outgoing payments|all outgoing money|withdrawals together"
    "|sum of the debits|sum of debits|debits total|total withdrawn|all payments made|spent in total",
    "total credit": "total deposits|sum of all credits|everything that was paid in|total money in|all credits"
    "|total in|incoming payments|total of incoming payments|all incoming money|deposits together"
    "|sum of the credits|sum of credits|credits total|total received|all payments received|received in total",
    "opening balance": "starting balance|balance at the start|balance brought forward|what was on the account before"
    "|balance before|old balance|previous balance|start balance|anfangssaldo|alter saldo|solde initial"
    "|ancien solde|saldo inicial|saldo anterior|saldo iniziale|beginsaldo|saldo początkowe"
    "|počáteční zůstatek|ingående saldo"
    "|balance start|balance at the beginning|balance before the first|former balance|initial balance"
    "|balance at the beginning of the period|carried forward from before|account before",
    "closing balance": "balance at the end|what is on the account now|balance carried forward|new balance|end balance"
    "|ending balance|balance after|final balance|endsaldo|neuer saldo|solde final|nouveau solde"
    "|saldo final|saldo finale|eindsaldo|saldo końcowe|konečný zůstatek|utgående saldo"
    "|balance end|balance at the end of the period|after all bookings|on the last day|carried over"
    "|balance after all|current balance|account now",
    "balance": "running balance|what is left|left after"
    "|balance after the booking|balance afterwards|balance after the row|account balance after|new balance after"
    "|left after the row|balance after it",
    "purpose": "purpose|wording of the booking|what the booking is for|booking text|reason for payment"
    "|payment reference text|memo text"
    "|what the transaction was|details of the booking|text of the entry|transaction text|entry text"
    "|booking details|booked for|remark|payment purpose|narrative|transaction details|text of the booking"
    "|transaction description|wording",
    "date": "booked on|day of the booking|booking day|value date|entry date|posting date"
    "|day|booking date|date of the entry|date of posting|posted|posted on|when it was booked|transaction date"
    "|date of booking|entered on",
    "weight": "kilos|how heavy|kilograms|mass|kg|heaviness",
    "freight": "shipping|shipping costs|cost of shipping|shipping charge|shipping charges|shipping fee|freight"
    "|carriage|transport costs|what the transport costs|delivery charge|delivery charges|delivery costs"
    "|postage|versandkosten|frais de port|gastos de envío|spese di spedizione|portes de envio"
    "|verzendkosten|koszty wysyłki|náklady na dopravu|fraktkostnad"
    "|shipping cost|sending the goods|charge for sending|delivery fee|cost of delivery|postage and packing"
    "|transport charge|carriage costs|packing and postage|dispatch costs",
    "carrier": "carrier|haulier|shipper|shipped by|shipped via|transported by|carries the goods|who transports"
    "|forwarder|freight company|courier|spediteur|transporteur|transportista|vettore|transportadora"
    "|vervoerder|przewoźnik|dopravce|transportör"
    "|transporter|transports the goods|shipping company|delivers the parcel|who delivers|freight carrier"
    "|logistics company|forwarding agent|transport company|delivery company|haulage firm|brings the goods",
    "package": "packages|parcels|parcel count|number of packages|number of parcels|no of packages|pallets|cartons"
    "|boxes sent|colli"
    "|boxes|number of boxes|packing units|package count|count of the parcels|how many packages"
    "|number of packing units|collies|units shipped|how many parcels",
    "contact": "contact person|person to contact|clerk|sales rep|served by|who handles|your contact|handled by"
    "|account manager|person in charge|ansprechpartner|sachbearbeiter|interlocuteur|persona de contacto"
    "|persona di contatto|pessoa de contacto|contactpersoon|osoba kontaktowa|kontaktní osoba"
    "|kontaktperson",
    "delivery buyer": "consignee|ship to name|ship to|deliver to|delivered to|goods are delivered|who receives "
    "the goods"
    "|receives the goods|goods recipient|warenempfänger|lieferempfänger|destinataire de la livraison"
    "|destinatario de la entrega"
    "|receiver of the goods|goods go to|who gets the goods|delivery recipient|recipient of the delivery"
    "|name at the delivery address|recipient of the goods|delivered party",
    "delivery address": "delivery address|ship to address|deliver where|shipping address|to deliver to|lieferadresse"
    "|lieferanschrift|adresse de livraison|dirección de entrega|indirizzo di consegna|morada de entrega"
    "|afleveradres|adres dostawy|dodací adresa|leveransadress"
    "|place of delivery|goods are sent|where the goods go|deliver address|where to deliver|delivery location"
    "|destination|address for the delivery|place to deliver|goods are to be brought",
    "account holder": "account holder|account owner|owner|owner of the account|whose account|holder of the account"
    "|kontoinhaber|titulaire du compte|titular de la cuenta|intestatario del conto|titular da conta"
    "|rekeninghouder|posiadacz rachunku|majitel účtu|kontohavare"
    "|account belongs|belongs to|customer of bank|holder|in whose name|account name",
    "account holder address": "holder address|owner address|account holder lives|address of the account holder"
    "|where the account holder lives"
    "|owner of the account lives|address of the owner of the account|holder location",
    "firstname": "first name|first names|given name|given names|forename|christian name"
    "|called without the family name|vorname|prénom|nombre de pila|nome proprio|nome próprio|voornaam"
    "|imię|křestní jméno|förnamn"
    "|forenames|all forenames|prename|personal name|without the family name|name given at birth|called by",
    "lastname": "last name|family name|surname|nachname|familienname|nom de famille|apellidos|cognome|apelido"
    "|achternaam|nazwisko|příjmení|efternamn"
    "|surname of applicant|last names|family names|second name|name of the family",
    "birth date": "birth date|date of birth|born on|dob|birthday|day of birth|was born|geburtsdatum|geburtstag"
    "|date de naissance|fecha de nacimiento|data di nascita|data de nascimento|geboortedatum"
    "|data urodzenia|datum narození|födelsedatum"
    "|when the person was born|birthdate|was born on|day the person was born",
    "birth city": "birth place|place of birth|birthplace|born in|town of birth|town in which the person was born"
    "|geburtsort|lieu de naissance|lugar de nacimiento|luogo di nascita|local de nascimento"
    "|geboorteplaats|miejsce urodzenia|místo narození|födelseort"
    "|born at|city of birth|place in which the applicant was born|where the person was born|where born"
    "|in which town|native town",
    "nationality": "citizen|citizenship|is a citizen|nationality"
    "|nation|country of origin|passport country|which citizenship|state the person|of which state"
    "|country the person",
    "occupation": "does for a living|current position|occupation|profession|job title|trade"
    "|job|learned trade|position held|work the person does|what the person works|job of the person"
    "|line of work|vocation|does for work",
    "employer": "employer|employs the person|works for|place of work|works at|workplace|firm that employs"
    "|where the person works|employed by|company for which|firm the person|workplace of",
    "marital": "marital status|family status|civil status|married|whether married|familienstand|état civil"
    "|situation de famille|estado civil|stato civile|burgerlijke staat|stan cywilny|rodinný stav"
    "|civilstånd"
    "|relationship|family situation|is the person married|single or married|relationship status|spouse status",
    "emergency contact": "emergency contact|in case of emergency|next of kin|person to notify|to call in an emergency"
    "|notfallkontakt"
    "|whom to inform|if something happens|emergency person|notify person|contact in emergency|person to inform"
    "|whom to call|who is called|to be called",
    "membership fee": "membership fee|annual fee|what membership costs|fee per year|yearly fee|contribution|dues"
    "|subscription fee"
    "|annual contribution|fee for one year|subscription|membership dues|per year|yearly contribution|each year"
    "|annual dues|yearly membership",
    "identity number": "id number|identity document|passport|passport no|passport number|identity card|card number"
    "|ausweisnummer|id card number"
    "|identification number|identification no|number of the id card|identity card or passport|personal id"
    "|id document|document of identity|number of the identity",
    "subject": "subject|topic|concerning|re|subject line|what the letter is about|says the matter|matter|betreff"
    "|objet|asunto|oggetto|assunto|onderwerp|dotyczy|předmět|ärende"
    "|regarding|what it concerns|letter is about|subject of the letter|matter of the letter|heading of the letter"
    "|about what|title of the letter",
    "signed name": "signed by|signer|who signed|name below the signature|signatory name|unterzeichner|signataire"
    "|firmante|firmatario"
    "|person who signed|undersigned|letter is signed|by whom|signature name|put the signature|signing person"
    "|name of the signer|author of the signature|who has signed",
    "signed date": "signature date|signed on|day of the signature|was signed|date of signature|place and date"
    "|signing date|date of signing|date signed|day of signing|applicant signed|signed when",
    "insurance": "health insurance|insured|has insurance|whether insured"
    "|is insured|health cover|covered by insurance|person is insured|has a health insurance",
    "newsletter": "newsletter|wants news|news may be sent|receive the newsletter"
    "|wants newsletter|newsletter wanted|want the newsletter|subscribe|subscribed|subscription to news"
    "|gets the newsletter|receive news|mailing list",
    "street": "street|street and number|street address|first line of the home address|road"
    "|home street|residence street|house number|street with house number|street the person lives|address line"
    "|road and number|street number",
    "city": "city|town|postcode and town|town with its postcode|city zip|municipality"
    "|home town|residence|town of residence|zip and city|postal code and city|where the person lives"
    "|place of residence",
    "supplier name": "sender name|who sent|writer|firm or person that writes|who sells|that sells|issuer name|sender"
    "|author|who wrote|wrote the letter|who writes|from whom|name of the sender|writing party|sent by",
    "buyer name": "recipient name|addressee|who buys|to whom the letter is addressed|name of the recipient"
    "|to name|person written to|receiver of the letter|who gets the letter|whom the letter is for"
    "|letter recipient|letter goes to|written to",
    "supplier address": "sender address|vendor location|writer location|where the seller sits|where the writer sits"
    "|seller location|sender location|address of the sender|address of the seller|address of the issuer"
    "|return address|where replies go|where the sender sits|from address|address of the writer|address of sender"
    "|where the writer lives",
    "buyer address": "buyer address|recipient address|customer location|addressee location|where the customer sits"
    "|address of the recipient|address of the buyer|address of the customer"
    "|street and town of the addressee|billing address"
    "|to address|address of the receiver|where the letter goes|mailing address|postal address of the recipient"
    "|addressee address|where the recipient lives|address of the addressee",
    "statement number": "statement no|sheet no|running number of the statement|number of the statement|auszugsnummer"
    "|which statement|extract no|statement id|sequence number of the statement|number of the account statement",
    "credit note number": "credit note|credit memo|credit memo id|credit note no|number of the credit note"
    "|refund note number"
    "|refund document|number of the refund document|which credit note|credit no|corrective invoice number"
    "|reversal number",
    "delivery note number": "delivery note|shipment id|shipment no|identifier of this shipment|packing slip"
    "|number of the delivery note|despatch note"
    "|dispatch number|dispatch note number|dispatch note|delivery no|which delivery|consignment note|waybill"
    "|waybill number|delivery slip",
    "quote number": "quotation|offer id|offer no|offer number|identifier of the offer|number of the quotation"
    "|quote no"
    "|estimate number"
    "|proposal|proposal id|identifier of the proposal|estimate no|number of the estimate|estimate|offer reference"
    "|number of the offer",
    "receipt number": "receipt no|transaction id|identifier of the sale|ticket no|ticket|check no|number of the "
    "receipt"
    "|sale id"
    "|sale number|number of the sale|till receipt|number that the till printed|slip number|transaction number"
    "|voucher number",
    "order date": "ordered on|was ordered|day on which it was ordered|po date|placed the order|order placed"
    "|day of the order|when it was ordered|goods were ordered|placed on",
    "payment terms": "payment terms|terms of payment|conditions under which to pay|payment conditions"
    "|zahlungsbedingungen|conditions de paiement|condiciones de pago|condizioni di pagamento"
    "|condições de pagamento|betalingsvoorwaarden|warunki płatności|platební podmínky|betalningsvillkor"
    "|payment term|time allowed for payment|how and when to pay|agreed conditions of payment|credit terms|terms",
    "cash": "cash given|handed over|money handed over|cash that was given|tendered"
    "|cash received|cash paid|paid in cash|customer gave|handed over in cash|amount handed over"
    "|given by the customer|paid cash|amount tendered",
    "change": "change given back|money returned|returned|given back"
    "|change due|money back|got back|given back to the customer|money given back|back to the customer"
    "|change returned|money that was returned",
    "bank name": "credit institution|name of the bank|where the account is held|bankers|bank details"
    "|banking house|at which bank|bank of the seller|financial institution|account holding bank|which bank",
    "item code": "sku|item code|article number|code of the article|product code|artikelnummer|part number"
    "|part no|item no|product id|catalogue number|code|article code|number of the article|stock keeping unit"
    "|order code",
    "discount": "rebate|reduction|allowance|price reduction",
    "deposit": "deposit|advance payment|paid already|paid in advance|has been paid already|already paid|prepayment"
    "|prepaid|down payment|anzahlung|anzahlungen|acompte|anticipo|acconto|adiantamento|aanbetaling"
    "|zaliczka|záloha|förskott"
    "|paid so far|was paid so far|sum paid in advance|advance|part payment|already settled|payments made"
    "|instalment paid|payment on account",
    "reference": "file ref|file number|file reference|under which file"
    "|case file|our ref|reference to quote|reference sign"
    "|sender's reference|reference of the letter|matter is kept|aktenzeichen|dossier|expediente",
    "copy": "copy to|copies|cc|carbon copy|persons in cc|copies go|in copy|gets a copy|distribution|distribution list"
    "|also receive",
}

NOISE = (
    "this that these those which who whom whose when where what why how was were is are be been being has "
    "have had it its very whole all any each every one only such as if else there here then than also or "
    "by per at for in on of the a an and with into out over under up down about after before between "
    "during both either neither not must should shall will would can could may might do does did "
    "please give string value field entry die der das dem den des ein eine einer einem eines ist war wird "
    "werden wurde wurden wann wie wer wen dass und oder bei beim am im auf aus für mit nach noch ganze "
    "ganzen als so sich es sind le la les un une du au aux est sont été quand quel quelle lequel laquelle "
    "que qui dont et ou où par pour dans sur el los las una unos son fue cuando cual quien y o por para "
    "en con del al il lo gli uno è sono stato quando quale che chi e ed da dal dalla della dello di os um "
    "uma é foi qual quem em na dos de het een zijn werd wanneer welke dat voor met van op aan jest są był "
    "była kiedy który która które kto i lub dla w z od przez je jsou byl byla kdy který která které kdo "
    "nebo pro v s podle är var när vilken vilket som och eller för med av på det ett"
)
"""Words of descriptions that name nothing."""
