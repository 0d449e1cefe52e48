"""The words with which contracts say who agrees, since when, for how long and under whose law, in ten languages."""

BETWEEN = {
    "between among amongst": "and",
    "zwischen": "und sowie",
    "entre": "et y e",
    "tra fra": "e ed",
    "tussen": "en",
    "pomiędzy między": "a oraz i",
    "mezi": "a",
    "mellan": "och",
}
"""Before the names of the parties, and what stands between two of them."""

ROLES = (
    "company employee executive employer recipient discloser provider receiver consultant contractor distributor "
    "supplier customer client buyer seller purchaser vendor lender borrower licensor licensee lessor lessee landlord "
    "tenant agent principal participant investor partner party "
    "gesellschaft arbeitgeber arbeitnehmer auftraggeber auftragnehmer käufer verkäufer vermieter mieter "
    "lieferant kunde "
    "partei société client prestataire fournisseur vendeur acheteur bailleur locataire salarié employeur partie "
    "sociedad cliente proveedor vendedor comprador arrendador arrendatario parte "
    "società fornitore venditore acquirente locatore conduttore "
    "sociedade fornecedor contratante contratada senhorio inquilino "
    "opdrachtgever opdrachtnemer verkoper koper verhuurder huurder leverancier "
    "zamawiający wykonawca sprzedawca kupujący wynajmujący najemca strona "
    "objednatel zhotovitel prodávající kupující pronajímatel nájemce strana "
    "bolaget köparen säljaren hyresvärden hyresgästen leverantören kunden uppdragsgivaren part"
)
"""What a contract calls its parties from then on: `X Inc. (the "Company")`."""

NOT_A_PARTY = (
    "parties whereas agreement exhibit information confidential confidentiality date section article undersigned "
    "transaction purpose background recitals witness affiliates subsidiaries law laws state court courts board "
    "vertrag vereinbarung parteien contrat accord parties contrato acuerdo partes contratto accordo parti acordo "
    "overeenkomst partijen umowa strony smlouva strany avtal parterna"
)

IN_EFFECT = (
    "effective|effective date|made|entered into|dated|executed|as of|with effect from|vom|datiert|geschlossen am"
    "|in kraft|ab dem|en date du|le|à compter du|fait le|de fecha|a fecha|con efecto|el día|del|in data|decorrere dal"
    "|datado de|em|a partir de|gedateerd|d.d.|per|met ingang van|z dnia|zawarta w dniu|dnia|ze dne|dne|ke dni"
    "|daterat|den|från och med|s účinností od|účinnosti od|mit wirkung vom|mit wirkung zum|mit wirkung ab|gültig ab"
    "|à effet du|prenant effet le|prend effet le|con efectos de|con efectos desde|con effetto dal|con decorrenza dal"
    "|com efeitos a partir de|com efeitos desde|ze skutkiem od|od dnia|z dniem|med verkan från|med start"
)
"""Before the day from which a contract counts."""

AGREEMENT = (
    "agreement letter contract obligations obligation commitments duty duties undertaking covenants deed "
    "vertrag vereinbarung pflichten verpflichtungen contrat accord convention obligations contrato acuerdo "
    "obligaciones contratto accordo obblighi acordo obrigações overeenkomst verplichtingen umowa zobowiązania "
    "smlouva dohoda závazky avtal avtalet förpliktelser"
)
"""What lasts: the contract, or what it asks for."""

LASTS = (
    "end ends terminate terminates expire expires remain remains continue continues survive survives last lasts "
    "run runs "
    "force effect valid duration binding endet läuft gilt hat beträgt geschlossen bleibt durée durera expire "
    "vigueur prend "
    "duración durará vigor vigente durata durerà vigore duração vigorará duur duurt loopt geldt obowiązuje zawarta "
    "okres czas trvá platí dobu platnost gäller löper giltigt"
)

TERM = (
    "term duration laufzeit vertragsdauer vertragslaufzeit dauer durée duración plazo durata prazo duração "
    "duur looptijd okres doba löptid avtalstid"
)

NOT_THE_TERM = (
    "solicit solicits soliciting hire hiring compete competition competing noncompetition standstill securities "
    "acquire salary severance base payment payments option options vest vesting employment employed bonus preceding "
    "previous prior warranty abwerben wettbewerb gehalt gewährleistung concurrence salaire garantie competencia "
    "salario "
    "garantía concorrenza stipendio garanzia concorrência salário concurrentie salaris konkurencji wynagrodzenie "
    "konkurence mzda konkurrens lön"
)
"""In a sentence with one of these, a time is not how long the contract lasts."""

NOTICE = (
    "notice kündigungsfrist kündigung frist préavis preaviso aviso preavviso pré-aviso opzegtermijn opzegging "
    "wypowiedzenia wypowiedzenie výpovědní výpověď uppsägningstid uppsägning"
)

SECRET = (
    "secret secrets secrecy confidence confidential confidentiality disclose disclosed disclosure geheim vertraulich "
    "stillschweigen secret confidentiel confidentielle confidencial confidenziale riservato sigilo geheimhouding "
    "vertrouwelijk "
    "poufne tajemnicy důvěrné mlčenlivost sekretess konfidentiell"
)
"""What the parties of such a contract keep, for as long as it lasts."""

ANOTHER = (
    "earlier previous prior existing former frühere früheren bisherige précédent précédente antérieur anterior "
    "anteriores "
    "precedente precedenti eerdere vorige wcześniejsza wcześniejszej poprzednia dřívější předchozí tidigare"
)
"""Before a contract that is not this one."""

COURT = (
    "courts of|court of|courts in|gerichtsstand ist|gerichtsstand|gericht in|gerichte in|tribunaux de|tribunal "
    "de|tribunales de"
    "|juzgados de|juzgados y tribunales de|foro di|foro competente è|tribunale di|tribunais de|tribunal da comarca de"
    "|foro da comarca de|comarca de|rechtbank te|rechtbank in|rechtbank|sąd w|sądy w|sąd właściwy dla|sądem "
    "właściwym jest sąd w"
    "|soud v|soudy v|soudem v|soudu v|domstol i|domstolen i|tingsrätt i"
)
"""Before the place of the court that decides."""

SIDES = {
    "supplier": "supplier seller vendor provider contractor licensor lessor landlord consultant lieferant verkaufer "
    "auftragnehmer vermieter lizenzgeber fournisseur vendeur prestataire bailleur proveedor vendedor prestador "
    "arrendador fornitore venditore prestatore locatore fornecedor locador leverancier verkoper opdrachtnemer "
    "verhuurder dostawca sprzedawca sprzedajacy wykonawca wynajmujacy dodavatel prodavajici zhotovitel pronajimatel "
    "leverantor leverantoren saljare saljaren hyresvard",
    "buyer": "customer client buyer purchaser licensee lessee tenant kunde kaufer auftraggeber mieter lizenznehmer "
    "besteller acheteur preneur locataire cliente comprador arrendatario acquirente compratore committente "
    "locatario inquilino koper klant opdrachtgever huurder nabywca kupujacy zamawiajacy klient najemca odberatel "
    "kupujici objednatel zakaznik najemce kund kunden kopare koparen bestallare hyresgast",
}
"""What a contract calls who gives something for money, and who pays for it."""
