"""What several words, or a short form, mean together in a label: `payable avant le` is a due date.

Single words that mean one thing wherever they stand are in `table.LABELS`. Words are written as their language writes
them; readers fold case and accents away.
"""

PHRASES = {
    "gross": "s dph|včetně dph|s daní|z vat|z podatkiem|w tym vat|med moms|inkl moms|com iva|iva incluído|con iva"
    "|iva incluido|iva compresa|iva inclusa|ivato|toutes taxes comprises|tva comprise|tva incluse|met btw",
    "net": "bez dph|bez daně|bez vat|bez podatku|utan moms|sin iva|sem iva|senza iva|iva esclusa|hors taxes"
    "|hors taxe|hors tva|ohne mwst|ohne ust|zonder btw",
    "due date": "pay by|payable by|please pay by|due by|zahlungstermin|zahlbar bis|zu zahlen bis|fällig bis"
    "|à payer avant le|à payer avant|date limite de paiement|payable avant le|payable avant|à régler avant le"
    "|à régler avant|vence el|vence|pagar antes de|pagar antes del|fecha límite de pago|fecha vto|da pagare entro"
    "|pagare entro|pagamento entro|pagar até|data limite de pagamento|vence em|te betalen voor|uiterste betaaldatum"
    "|betalen voor|betaaldatum|betalen vóór|termin zapłaty|termin płatności|data płatności|zapłata do dnia"
    "|do zapłaty do|płatne do|płatność do|zaplatit do|splatné do|den splatnosti|förfallodatum|betalas senast"
    "|sista betalningsdag|att betala senast|förfaller den|senast betalas|oss tillhanda senast|payment deadline"
    "|settle by|fälligkeitstag",
    "delivery date": "shipped on|date shipped|dispatch date|date of dispatch|delivered on|auslieferung am"
    "|geliefert am|leistungstag|versandt am|versendet am|date d'expédition|expédié le|livré le|entregado el"
    "|fecha de envío|enviado el|consegnato il|data spedizione|data di spedizione|spedito il|data de envio"
    "|expedido em|entregue em|geleverd op|verzenddatum|verzonden op|afleverdatum|termin dostawy|dostarczono"
    "|dostarczono dnia|data wysyłki|wysłano dnia|data wykonania usługi|data realizacji|data sprzedaży|dodáno"
    "|dodáno dne|termín dodání|duzp|odesláno dne|datum zdanitelného plnění|date of supply|supply date|levererat den"
    "|levererad den|skickad den|skickat den|fecha de salida",
    "order date": "ordered on|date ordered|order placed|bestellt am|bestelltag|ordinato il|commandé le|pedido el"
    "|pedido de fecha|encomendado em|data do pedido|besteld op|data zam|zamówione dnia|zamówiono dnia"
    "|data złożenia zamówienia|objednáno dne|objednáno|objednávka ze dne|beställt den|beställd den|ordinato in data",
    "issue date": "émis le|établi le|emitido el|emitida el|emesso il|emessa il|emitido em|emitida em|utfärdad"
    "|utfärdat den|utställd|utställd den|ausstellungstag|ausgestellt am|erstellt am|opgemaakt op|wystawiono dnia"
    "|vystaveno dne|date of issue|issued on|date d'établissement|fecha de expedición|datum vyhotovení"
    "|data sporządzenia|uitgiftedatum|opmaakdatum",
    "order number": "p o no|p o number|p o #|bon de commande n°|nr zam|opdrachtnummer|opdrachtnr|obj č"
    "|orden de compra|ordre d'achat|nota de encomenda|n.º da encomenda|n o da encomenda",
    "invoice number": "rechn nr|rg nr|re nr|n° de pièce|nota nr|daňový doklad č|n.º da fatura",
    "customer number": "cust no|kundenkonto|réf client|code tiers|compte client|ref cliente|código do cliente"
    "|código cliente|codice cliente|klantcode|kod odbiorcy|číslo odběratele|kundkod|kod klienta"
    "|nr kontrahenta|relatienummer",
    "quote number": "estimate no|estimate #|proposal no|proposal #|kostenvoranschlag nr|offre n°|proposition n°"
    "|cotización n.º|cotización n o|offerta n|n offerta|proposta n.º|proposta n o|wycena nr|anbudsnummer"
    "|n.º do orçamento|offer no|offer number|n o do orçamento",
    "credit note number": "cn no|korrekturbeleg nr|rechnungskorrektur nr|factura rectificativa n.º"
    "|factura rectificativa n o|numero nota|número da nota|creditfactuur nr|creditfactuurnummer|creditnr|nr korekty"
    "|korekta nr|numer korekty|faktura korygująca nr|nota kredytowa nr|opravný doklad č|opravný daňový doklad č"
    "|kreditnr|gs nr|note de crédit n°|n.º da nota de crédito|n o da nota de crédito",
    "delivery note number": "dispatch note no|consignment no|dn no|sendungsnummer|bl n°|n° bl|bordereau n°"
    "|n° d'expédition|nota de entrega n.º|nota de entrega n o|remito n.º|remito n o|documento di trasporto n"
    "|guia de remessa n.º|guia de remessa n o|guia n.º|guia n o|n.º da guia|n o da guia|guia de transporte n.º"
    "|guia de transporte n o|leverbonnummer|leverbon nr|vrachtbriefnummer|leveringsbon nr|numer wz|nr wz|wz nr"
    "|list przewozowy nr|ls nr|číslo dodacího listu|dl č|dodací list č|fraktsedel nr|shipment no|shipment number"
    "|warenbegleitschein nr",
    "receipt number": "transaction no|transaction #|trans #|slip no|check no|check #|transaktion nr|note n°"
    "|factura simplificada n.º|factura simplificada n o|documento n|doc n|talão n.º|talão n o|n.º do talão"
    "|n o do talão|numer paragonu|nr paragonu|nr wydruku|doklad č|nota nr|bong nr|fatura recibo n.º"
    "|fatura recibo n o",
    "statement number": "extract no|extrait n°|n° d'extrait|estado n.º|estado n o|volgnummer|n.º do extrato"
    "|número do extrato|n o do extrato|kolejny nr wyciągu|sheet no|blatt",
    "identity number": "id no|id number|id card no|identification number|personalausweisnummer|personalausweis nr"
    "|reisepass nr|reisepassnummer|pass nr|passnummer|n° cni|dni|dni nie|n.º de dni|n o de dni|n.º de pasaporte"
    "|n o de pasaporte|documento de identidad|n passaporto|documento di identità|carta d'identità n"
    "|cartão de cidadão|n.º de identificação|n o de identificação|n.º do passaporte|n o do passaporte"
    "|bilhete de identidade|id nummer|paspoortnummer|identiteitskaartnummer|legitimatienummer|seria i nr dowodu"
    "|nr paszportu|číslo op|číslo pasu|id kort nr|id handling|social security no|sozialversicherungsnummer"
    "|personnummer"
    "|carta d'identità|documento d'identità|documento d'identità n|identity card no|identity card number"
    "|pièce d'identité n°|n° de pièce d'identité|carte d'identité n°|pasaporte n.º|pasaporte n o"
    "|passaporte n.º|passaporte n o|identiteitskaart nr|identiteitskaart|nummer identiteitsbewijs"
    "|seria i numer dowodu|číslo občanského průkazu",
    "net total": "total ex vat|nettowert|warenwert|warenwert netto|total hors taxes|montant hors taxes|base ht"
    "|base imponible|suma neta|totale imponibile|base tributável|incidência|základ daně|cena bez dph"
    "|summa före moms|taxable amount|belastbaar bedrag|maatstaf van heffing|suma netto",
    "tax total": "valor do iva|zzgl mwst|zuzüglich mwst|daň celkem|varav moms|btw bedrag|kwota vat|výše dph"
    "|waarvan btw|dont tva|cuota iva|cuota de iva",
    "grand total": "rechnungsendbetrag|slutsumma|eindtotaal|eindbedrag|total to pay"
    "|totale complessivo|totale generale|total général|total geral",
    "due payable": "amount owing|verbleibender betrag|restzahlung|montant dû|net restant à payer|pendiente de pago"
    "|residuo|valor em dívida|montante em dívida|em dívida|te voldoen|pozostała kwota|pozostaje do zapłaty|doplatit"
    "|k doplacení|återstående belopp|återstår att betala|kvarstår|noch zu zahlen|zu zahlen|nog te betalen"
    "|reste à payer|solde dû|solde à payer|left to pay|remaining balance|outstanding balance|resto a pagar"
    "|zbývá uhradit|zbývá zaplatit|open amount|falta pagar|falta por pagar|rimane da pagare|restant à payer",
    "deposit": "amount paid|payments received|payment received|paid to date|down payment|advance payment|abschlag"
    "|angezahlt|bereits gezahlt|bereits bezahlt|déjà payé|avance versée|avance|acompte reçu|acompte versé"
    "|déjà réglé|versement|pago a cuenta|a cuenta|entregado a cuenta|ya pagado|già pagato|già versato|já pago"
    "|valor pago|reeds betaald|vooruitbetaling|al betaald|przedpłata|już zapłacono|wpłacona zaliczka|již uhrazeno"
    "|již zaplaceno|redan betalt|a conto|handpenning|less paid",
    "discount": "price reduction|preisnachlass|gesamtrabatt|sonderrabatt|réduction|ristourne|escompte|dto|rebaja"
    "|bonificación|abbuono|riduzione|ribasso|redução|klantkorting|reductie|bonifikata|obniżka|upust|avdrag"
    "|prisavdrag|nedsättning|rebate|allowance|mengenrabatt|treuerabatt",
    "freight": "shipping & handling|shipping handling|shipping and handling|versandkostenpauschale|lieferkosten"
    "|transportkosten|frais de transport|frais d'envoi|frais de port|frais de livraison|frais d'expédition|flete"
    "|frete|vrachtkosten|bezorgkosten|opłata za dostawę|koszt dostawy|koszt wysyłki|koszty transportu|przesyłka"
    "|wysyłka|náklady na dopravu|fraktavgift|leveranskostnad|delivery charge|delivery charges|transport charges"
    "|carriage|spese di trasporto|spese di spedizione|custos de envio|porto und verpackung|gastos de envío",
    "cash": "amount tendered|cash tendered|cash received|paid cash|zahlung bar|bar gegeben|bar erhalten"
    "|reçu espèces|espèces reçues|paiement espèces|payé en espèces|pago en efectivo|metálico|pagamento contante"
    "|contante|pagato contanti|numerário|pago em dinheiro|contant betaald|betaald contant|zapłacono gotówką"
    "|płatność gotówką|gotówką|zaplaceno hotově|přijatá hotovost|kontanter|betalt kontant|barzahlung"
    "|importo pagato|pagato|entregado|entregue",
    "change": "change due|cash back|your change|rückgabe|retourgeld|monnaie rendue|monnaie|à rendre|rendu monnaie"
    "|cambio|devuelto|vuelto|su cambio|resto|resto contanti|devolvido|teruggave|terug|wydano|do wydania"
    "|reszta gotówki|k vrácení|vrátit|nazpět|tillbaka|åter|retur",
    "opening balance": "balance forward|balance brought forward|brought forward|starting balance|beginning balance"
    "|saldovortrag|kontostand alt|eröffnungssaldo|solde précédent|solde d'ouverture|solde de départ|solde antérieur"
    "|saldo de apertura|saldo previo|saldo di apertura|saldo de abertura|oud saldo|openingssaldo|saldo otwarcia"
    "|starý zůstatek|tidigare saldo|old balance|prior balance|report à nouveau",
    "closing balance": "current balance|balance now|balance carried forward|carried forward balance|ending balance"
    "|aktueller kontostand|kontostand neu|schlussbestand|schlusssaldo|abschlusssaldo|solde de clôture|solde actuel"
    "|solde en fin de période|solde final|saldo actual|saldo de cierre|saldo di chiusura|saldo attuale|saldo atual"
    "|saldo de fecho|saldo de encerramento|eindsaldo|huidig saldo|slotsaldo|saldo zamknięcia|saldo aktualne"
    "|aktualne saldo|aktuální zůstatek|zůstatek ke dni|aktuellt saldo|slutsaldo|balance at end"
    "|saldo contabile|saldo contabile finale",
    "total debit": "total payments|total paid out|payments out|money out|summe ausgänge|summe abgänge"
    "|ausgaben gesamt|gesamtsoll|total des retraits|total sorties|total dépenses|total salidas|total gastos"
    "|totaal af|totaal uit|suma wypłat|suma wydatków|razem wypłaty|součet výběrů|total withdrawals|total out"
    "|total charges"
    "|total retiros|totale prelievi|suma obciążeń|výdaje celkem|summa uttag",
    "total credit": "total receipts|total paid in|payments in|money in|summe eingänge|einnahmen gesamt"
    "|summe zugänge|gesamthaben|total des versements|total entrées|total recettes|totaal in|totaal bij|suma wpłat"
    "|suma przychodów|razem wpłaty|celkem příchozí|součet vkladů|summa inbetalningar|summa kredit|total deposits"
    "|total in"
    "|totale versamenti|suma uznań|příjmy celkem|summa insättningar",
    "weight": "masse totale|ciężar|váha celkem|váha|peso neto|peso netto|net weight|poids net",
    "package": "cartons|boxes|kartons|palettes|paletten|paquetes|cajas|palés|pacchi|bancali|embalagens|paletes"
    "|pakketten|aantal pakketten|dozen|pallets|kartony|palety|počet kusů|počet zásilek|krabice|pallar|kartonger"
    "|liczba paczek|aantal colli|anzahl pakete|nb de colis|nbre de colis|nombre de colis|no of packages",
    "carrier": "shipped by|shipped via|delivery by|forwarder|courier|transporter|shipping company|freight forwarder"
    "|haulier|transportunternehmen|lieferung durch|versand durch|versandart|paketdienst|transporté par|livré par"
    "|expédié par|société de transport|messagerie|enviado por|agencia de transporte|empresa de transporte"
    "|transporte por|spedito con|trasportatore|spedizioniere|transportador|expedido por|empresa transportadora"
    "|verzonden via|verzonden door|verzonden met|koerier|spedytor|firma kurierska|kurier|dostarcza|wysłano przez"
    "|přepravce|zasláno přes|odesláno přes|doručuje|kurýr|fraktförare|skickat med|skickas med|fraktbolag"
    "|levereras av",
    "contact": "account manager|prepared by|handled by|salesperson|sales rep|served by|zuständig|betreuer"
    "|bearbeiter|sachbearbeiter|suivi par|dossier suivi par|responsable|comercial|commercial|atendido por|agente"
    "|incaricato|responsável|behandeld door|behandelaar|opiekun klienta|opiekun|handlowiec|sporządził"
    "|prowadzi sprawę|vyřizuje|obchodník|referent|handläggare|vår referens|our contact|contact person"
    "|persona da contattare|persona di contatto|cassiere|cassiera|caissier|caissière|kassierer|kassiererin"
    "|es bediente sie|le atendió|cajero|cajera|kassier|kasjer|pokladní|kassör",
    "payment terms": "zahlungskonditionen|zahlungsvereinbarung|mode de règlement|conditions de règlement"
    "|modalités de paiement|forma de pago|forma de pagamento|modalità di pagamento|betalingsvoorwaarden"
    "|betalingsconditie|betalingstermijn|betaalvoorwaarden|forma płatności|sposób zapłaty|způsob platby"
    "|forma úhrady|betalningsvillkor|betalningsform|zahlungsbedingung|zahlungsbedingungen|zasady płatności"
    "|termini di pagamento|payment conditions",
    "supplier": "issued by|sold by|remit to|anbieter|auftragnehmer|vendu par|émis par|vendido por|venditore"
    "|prestador|crediteur|verkocht door|sprzedający|usługodawca|prodejce|poskytovatel|vystavil|utfärdare|försäljare",
    "buyer": "invoiced to|billed to|auftraggeber|rechnung an|besteller|kundenadresse|facturer à|facturé à"
    "|à l'attention de|adressé à|adresse client|facturar a|facturado a|dirección de facturación|spett le"
    "|intestato a|fatturare a|faturar a|faturado a|factuur aan|opdrachtgever|zamawiający|usługobiorca"
    "|adres do faktury|objednatel|fakturační adresa|faktureras till|beställare|adresse de facturation"
    "|rechnungsadresse",
    "delivery to": "ship to address|place of delivery|goods recipient|ship to|deliver to|abladestelle"
    "|empfänger der ware|versandadresse|lieu de livraison|livrer à|livré à|expédier à|entregar en|lugar de entrega"
    "|dirección de envío|enviar a|luogo di consegna|consegnare a|entregar em|local de entrega|local de descarga"
    "|enviar para|bezorgadres|leveren aan|verzendadres|adres wysyłki|odbiorca towaru|wysyłka do|místo dodání"
    "|doručit na|dodat na|příjemce zboží|levereras till|leveransplats|godsmottagare|skickas till|miejsce dostawy",
    "tax number": "tin|ein|st nr|n i f|c i f|p iva|partita iva|part iva|cod fiscale|partita iva cf|daňové číslo"
    "|umsatzsteuer identifikationsnummer|btw identificatienummer|nr nip|nip|ust idnr|mwst nr",
    "phone": "ph|tfno|teléf|telef|tfn|contacto telefónico|nr telefonu"
    "|recapito telefonico|recapito|n di telefono|numero di telefono|numero di cellulare|telefono cellulare"
    "|contact number|cell phone|mobile phone|mobilnummer|telefonnummer|numéro de téléphone|téléphone portable"
    "|número de teléfono|teléfono móvil|número de telefone|telefoonnummer|numer telefonu|telefonní číslo",
    "email": "e mail|e mail address|e mail adresse|e mailadres|indirizzo e mail|indirizzo email|posta elettronica"
    "|adresse électronique|adresse mail|correo electrónico|correio eletrónico|correio eletrônico|adres e mail"
    "|e mailová adresa|elektronická adresa|e postadress",
    "booked date": "booking date|posting date|buchungstag|wertstellung|date d'opération|date comptable|data contabile"
    "|fecha operación|fecha contable|data movimento|boekdatum|data księgowania|datum zaúčtování|bokföringsdatum",
    "bank name": "banking details|bank details|bankers|kreditinstitut|geldinstitut|hausbank|coordonnées bancaires"
    "|domiciliation|établissement bancaire|entidad|entidad bancaria|datos bancarios|istituto|istituto di credito"
    "|coordinate bancarie|banca d'appoggio|nome do banco|entidade bancária|dados bancários|instituição bancária"
    "|bankgegevens|bankinstelling|bankrelatie|dane bankowe|bank prowadzący|název banky|bankovní ústav"
    "|bankovní spojení|peněžní ústav|bankens namn|bankuppgifter|bankförbindelse|nazwa banku|nome banca",
    "birth date": "birthday|geb datum|geburtstag|geb am|geboren am|né le|née le|né e le|nacido el|nacido a el"
    "|fecha nac|nato il|nata il|nato a il|nascido a em|data nasc|data ur|ur dnia|urodzony a dnia|nar|födelsetid"
    "|geboren op|narozen dne|tag der geburt|born on|dob|född den",
    "birth city": "geb ort|geboren in|né à|née à|né e à|nacido en|nacido a en|nato a|nata a|nato a a|naturalidade"
    "|natural de|miejsce ur|miejsce urodzenia|urodzony a w|rodiště|místo narození|födelseplats|född i|geboren te"
    "|birthplace|born in|lieu de naissance|lugar de nacimiento|luogo di nascita|local de nascimento|place of birth"
    "|comune di nascita",
    "firstname": "given name|given names|first name|first names|primeiro nome|nome próprio|nomes próprios"
    "|nombre de pila|roepnaam|tilltalsnamn|křestní jméno|prénom usuel",
    "lastname": "family name|last name|nom de famille|nom d'usage|cognomi|sobrenome|último nome|familienaam"
    "|geslachtsnaam|släktnamn|familjenamn|zuname|hausname|nom patronymique",
    "nationality": "citizen of|country of citizenship|staatsbürgerschaft|staatsangeh|ciudadanía"
    "|país de nacionalidad|cidadania|citoyenneté|staatsburgerschap|kraj obywatelstwa|przynależność państwowa"
    "|státní příslušnost|státní občanství|medborgare i",
    "street": "address line 1|home address|straße hausnummer|straße und hausnummer|straße nr|n° et rue"
    "|rue et numéro|voie|calle y número|via e numero|rua|rua e número|straat en huisnummer|ulica nr|ulica i numer"
    "|ulice a číslo|gatuadress|gata och nummer|utdelningsadress|street and number|street address"
    "|indirizzo di residenza|residenza|residente in|residential address|permanent address|wohnanschrift"
    "|wohnadresse|domicile|adresse du domicile|lugar de residencia|woonadres|adres zamieszkania|bydliště"
    "|trvalé bydliště|bostadsadress|hemadress",
    "city": "postcode town|post town|zip city|city zip|municipality|plz ort|plz und ort|postleitzahl ort|cp ville"
    "|commune|localité|code postal et ville|code postal ville|población|municipio|cp y población|c p y localidad"
    "|comune|cap comune|cap e città|cap e località|cidade|código postal e localidade|concelho|postcode en plaats"
    "|gemeente|kod pocztowy i miasto|kod i miejscowość|kod pocztowy miasto|obec|psč a město|psč obec|místo bydliště"
    "|postnummer och ort|postort|wohnort|town",
    "occupation": "job title|current position|current job|tätigkeit|ausgeübter beruf|ausgeübte tätigkeit"
    "|berufsbezeichnung|emploi|activité professionnelle|oficio|puesto|mestiere|atividade|werkzaamheden"
    "|huidige functie|zajęcie|stanowisko|wykonywany zawód|profese|pracovní pozice|sysselsättning|befattning",
    "employer": "workplace|place of work|employed by|arbeitsstelle|beschäftigungsstelle|beschäftigt bei"
    "|lieu de travail|lugar de trabajo|centro de trabajo|datore di lavoro|luogo di lavoro|entidade patronal"
    "|local de trabalho|entidade empregadora|werkzaam bij|zakład pracy|miejsce pracy|zaměstnán u|pracoviště"
    "|arbetsplats|anställd hos|nazwa pracodawcy|název zaměstnavatele",
    "emergency contact": "next of kin|in case of emergency|person to notify|personne à contacter"
    "|personne à prévenir|avisar a|en caso de urgencia|en caso de emergencia|en cas d'urgence|persona da avvisare"
    "|in caso di emergenza|pessoa a contactar|em caso de emergência|bij nood|in geval van nood|contact bij nood"
    "|contactpersoon bij nood|kontakt awaryjny|osoba do powiadomienia|w razie wypadku|kontakt v nouzi"
    "|v případě nouze|koho informovat|vid nödfall|kontakt i nödfall|im notfall|im notfall zu verständigen"
    "|im notfall benachrichtigen|närmast anhörig"
    "|notfallkontakt|kontakt im notfall|bij nood bellen|w nagłym wypadku|i nödfall",
    "membership fee": "annual fee|yearly fee|fee per year|subscription|contribution|jahresgebühr|beitrag pro jahr"
    "|jährlicher beitrag|mitgliedsgebühr|droits d'adhésion|cotisation annuelle|cuota anual|cuota de socio"
    "|cuota de afiliación|quota annuale|quota associativa|quota sociale|quota di iscrizione|quota anual"
    "|quota de sócio|jaarbijdrage|jaarlijkse contributie|lidgeld|opłata członkowska|opłata roczna|składka roczna"
    "|roční příspěvek|členský příspěvek|roční poplatek|avgift per år|årsavgift"
    "|quota annua|droit d'inscription|roczna składka",
    "subject": "regarding|concerning|betr|betrifft|gegenstand|sujet|concerne|au sujet de|tema|argomento|riguardo"
    "|referente a|betreft|aangaande|temat|temat pisma|w sprawie|předmět|týká se|angående",
    "reference": "our ref|your ref|file no|file reference|geschäftszeichen|aktenzeichen|unser zeichen|ihr zeichen"
    "|nos réf|nos références|n réf|v réf|expediente|n ref|ns rif|rif|riferimento|prot|processo n.º|processo n o"
    "|dossier|ons kenmerk|uw kenmerk|nr sprawy|znak sprawy|nasz znak|sygnatura|naše značka|naše zn|číslo jednací"
    "|č j|spis zn|diarienummer|dnr|vår beteckning|ärendenummer",
    "quantity": "q tà|q ta|stuks|aant|mge|nb|pezzi|quant|il|mn|ant|pieces|unidades|liczba",
    "item code": "kat č|katalogové č|obj č|nr kat|cód|cod|productcode|produktkod|produktnr|material nr|réf produit"
    "|cód artigo|cód artículo|cod articolo|part no|part number|indeks",
    "description": "detalle|designação|prestazione|nazwa towaru|nazwa usługi|označení dodávky|leistungsbeschreibung",
    "signed date": "signed on|place and date|ort datum|fait à|lugar y fecha|luogo e data|local e data"
    "|plaats en datum|miejscowość i data|podpisano dnia|místo a datum|ort och datum|date of signature"
    "|fatto il|fait le|data della firma|unterschrieben am|unterzeichnet am|date signed|signature date"
    "|fecha de la firma|fecha de firma|data da assinatura|assinado em|ondertekend op|datum ondertekening"
    "|datum van ondertekening|data podpisu|datum podpisu|podepsáno dne|undertecknad den|underskriven den",
    "period": "billing period|statement period|berichtszeitraum|leistungszeitraum|abrechnungszeitraum"
    "|période de facturation|período de facturación|periodo di riferimento|okres rozliczeniowy|zúčtovací období"
    "|faktureringsperiod|rapportageperiode",
    "account holder": "account owner|kontoinhaber|titulaire du compte|titular de la cuenta|intestatario del conto"
    "|titular da conta|rekeninghouder|posiadacz rachunku|majitel účtu|kontohavare"
    "|titolare del conto|intestato a|account name|tenaamstelling|właściciel rachunku|kontoinnehavare",
}
