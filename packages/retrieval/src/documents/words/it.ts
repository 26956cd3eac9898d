import type { PaperWords } from './paper-words.ts';

export const it: PaperWords = {
  kinds: {
    amendment: 'modific(?:a|he)|integrazion[ei]|emendament[oi]|appendic[ei]|addendum',
    certificate: 'certificat[oi]|attestat[oi]|diplom[ai]',
    contract: 'contratt[oi]|accord[oi]|condizioni generali',
    invoice: 'fattur[ae]|not[ae] di credito|bollett[ae]',
    journal: 'diari[o]?',
    letter: 'letter[ae]|avvis[oi]|sollecit[oi]',
    list: 'elench[io]|elenco|list[ae]|inventari[o]?',
    mail: 'e-?mails?|posta elettronica',
    manual: 'manual[ei]|guid[ae]|istruzioni|documentazione',
    minutes: 'verbal[ei]|riunion[ei]|assemble[ae]',
    offer: 'offert[ae]|preventiv[oi]|propost[ae]',
    payslip: 'bust[ae] paga|cedolin[oi]',
    policy: 'polizz[ae]|assicurazion[ei]',
    receipt: 'ricevut[ae]|scontrin[oi]',
    recipe: 'ricett[ae]',
    report: 'relazion[ei]|rapport[oi]|perizi[ae]|pagell[ae]',
    rules: 'statut[oi]|regolament[oi]|regole',
    statement: 'estratt[oi](?: conto)?|dichiarazion[ei] dei redditi',
    talk: 'presentazion[ei]|conferenz[ae]',
  },
  salutation: 'gentil[ei]|egregi[oa]?|car[oaie]|spett(?:\\.le|abile)|buon(?:giorno|asera)|ciao',
  closing: 'cordiali saluti|distinti saluti|cordialmente|saluti|un abbraccio',
  dated:
    'data(?: (?:di emissione|fattura))?|datato|emess[oa] il|firmato il|nella versione del|approvato il|in data',
  otherDay: 'nat[oa]|fino al|entro|scadenza|scade|dal|valid[oa]|prima del|a partire dal',
  parties:
    'da|a|presenti|partecipanti|locatore|locatrice|conduttore|conduttrice|inquilin[oa]|proprietari[oa]|cliente|acquirente|venditore|datore di lavoro|dipendente|assicurat[oa]|contraente|paziente|intestatari[oa]|destinatari[oa]|mittente|nome',
  between: 'tra|fra',
  honorifics: 'sig|sig\\.ra|signor|signora|dott|dott\\.ssa|ing|avv',
  subject: 'oggetto|rif|riferimento',
  version: 'version[ei]|edizion[ei]|revision[ei]|bozza',
  replaces: 'sostituisce|modifica|annulla|rinnova|integra|in sostituzione d',
  changes:
    "con effetto dal|con decorrenza dal|a partire dal|d['’]ora in poi|non .{1,30} più|nuov[oa] (?:data|prezzo|canone|tariffa|numero|indirizzo|importo|tasso)|passa (?:da|a)|aumenta|sale|invece di|finora|rinviat[oa]|spostat[oa]|ora|adesso",
  say: {
    more: 'e altri {}',
    oneFile: '1 file',
    newest: '{} file, i più recenti per primi',
    none: 'Non ci sono file di questo tipo.',
    noneThen: 'In quel periodo non sono stati caricati file di questo tipo.',
  },
};
