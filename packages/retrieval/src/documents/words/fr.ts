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
  now: "maintenant|actuel(?:le)?s?|actuellement|en ce moment|aujourd['’]hui|à présent|encore|toujours|dernière?s?|nouve(?:au|lle|l)s?|en vigueur|désormais",
  before:
    "avant|auparavant|précédente?s?|ancien(?:ne)?s?|originale?s?|initiale?s?|autrefois|antérieure?s?|d['’]origine|première?s?",
  until: "jusqu['’](?:au|à|en|ici)|avant|auparavant|au lieu de|était|ancien(?:ne)?",
  from: 'à compter du|à partir du|dès le|depuis le|avec effet au|le',
  everything:
    '(?:montre|donne|liste|trouve)(?:-moi)?|tous|toutes|chaque|quel(?:le)?s|combien|y a-t-il|ai-je',
  plural: '\\p{L}+[sx]',
  anyPaper: 'papiers?|documents?|fichiers?',
  filler:
    "montre|donne|liste|trouve|moi|je|j['’]ai|ai|nous|avons|mes|mon|ma|nos|tous|toutes|les|le|la|l|un|une|des|du|de|d|quel(?:le)?s?|combien|est|sont|ce|que|qui|fichiers?|documents?|papiers?|notes?|reçus?|avec|sur|pour|à|au|aux|en|dans|par|et|ou|année",
  compares: 'compare[rz]?|comparaison|différences?|diffèrent?|côte à côte',
  versus: 'et|ou|avec|contre|à|entre|que',
  say: {
    before: 'Avant',
    until: 'jusqu’au',
    from: 'à partir du',
    more: 'et {} autres',
    oneFile: '1 fichier',
    newest: '{} fichiers, les plus récents d’abord',
    none: 'Il n’y a pas de tels fichiers.',
    noneThen: 'Aucun fichier de ce genre n’a été ajouté pendant cette période.',
  },
};
