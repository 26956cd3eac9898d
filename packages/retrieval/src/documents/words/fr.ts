import type { PaperWords } from './paper-words.ts';

export const fr: PaperWords = {
  kinds: {
    amendment: 'avenants?|modifications?',
    certificate: 'certificats?|attestations?|diplômes?',
    contract: 'contrats?|baux|bail|conventions?|conditions générales',
    invoice: 'factures?|notes? de crédit|avoirs?|avis de paiement',
    journal: 'journal|journaux',
    letter: 'lettres?|courriers?|relances?|mises? en demeure',
    list: 'listes?|inventaires?',
    mail: 'e-?mails?|mails?|courriels?',
    manual: "manuels?|guides?|notices?|modes? d['’]emploi|documentation",
    minutes: 'comptes?[- ]rendus?|procès[- ]verba(?:l|ux)|réunions?|assemblées?',
    offer: 'devis|offres?|propositions?',
    payslip: 'bulletins? (?:de )?(?:paie|salaire)|fiches? de paie',
    policy: 'polices?|assurances?|conditions particulières',
    receipt: 'reçus?|quittances?|tickets?',
    recipe: 'recettes?',
    report: 'rapports?|bilans?|expertises?|bulletins? scolaires?',
    rules: 'règlements?|statuts|règles',
    statement: "relevés?|avis d['’]imposition|déclarations? (?:de|d['’]) ?(?:impôts?|revenus?)",
    talk: 'présentations?|exposés?|conférences?',
  },
  salutation: 'chère?s?|madame|monsieur|mesdames|messieurs|bonjour|bonsoir',
  closing:
    'cordialement|bien à (?:vous|toi)|salutations (?:distinguées|cordiales)|sincères salutations|amicalement|veuillez agréer',
  dated:
    "date(?: d['’]émission| de facturation)?|fait (?:à .{1,40})?le|en date du|établi le|signé le|version du|adopté le",
  otherDay: "née?|jusqu['’]au|avant|échéance|à partir du|depuis|dès|valable|du|au plus tard",
  parties:
    'de|à|présents?|participants?|excusés?|locataires?|bailleurs?|bailleresse|propriétaires?|client|acheteur|vendeur|employeur|salariée?|assurée?|souscripteur|patiente?|titulaire|destinataire|expéditeur|nom',
  between: 'entre',
  honorifics: 'm|mme|mlle|mm|dr|maître|monsieur|madame',
  subject: 'objet|concerne|sujet',
  version: 'versions?|éditions?|révisions?|projet|brouillon',
  replaces:
    'remplacent?|annule(?: et remplace)?|modifient?|avenant (?:n[°o] ?\\d+ )?au|renouvelle|en remplacement d[eu]|se substitue',
  changes:
    "à compter du|à partir du|dès le|avec effet|désormais|dorénavant|ne .{1,30} plus|nouve(?:au|lle|l) (?:date|prix|loyer|tarif|numéro|adresse|montant|taux)|passe (?:de|à)|est (?:porté|ramené|fixé|reporté|avancé|remplacé)e?|au lieu de|jusqu['’]ici|jusqu['’]à présent|maintenant",
  say: {
    more: 'et {} autres',
    oneFile: '1 fichier',
    newest: '{} fichiers, les plus récents d’abord',
    none: 'Il n’y a pas de tels fichiers.',
    noneThen: 'Aucun fichier de ce genre n’a été ajouté pendant cette période.',
  },
};
