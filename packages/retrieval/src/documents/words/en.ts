import type { PaperWords } from './paper-words.ts';

export const en: PaperWords = {
  kinds: {
    amendment:
      'amendments?|endorsements?|addend(?:um|a)|side letters?|variations? (?:of|to) (?:the )?(?:contract|agreement)|codicils?',
    certificate: 'certificates?|diplomas?|attestations?',
    contract:
      'contracts?|agreements?|leases?|appointment of (?:an?|the)|deeds?|terms and conditions|terms of (?:business|engagement|service)|engagement letters?|tenanc(?:y|ies)',
    invoice: 'invoices?|bills?|tax invoices?|pro forma|credit notes?|fee notes?',
    journal: 'journals?|diar(?:y|ies)',
    letter: 'letters?|notice (?:of|to)|reminders?',
    list: 'lists?|rotas?|logs?|logbooks?|inventor(?:y|ies)|checklists?|rosters?|registers?|contacts',
    mail: 'e-?mails?|mails?',
    manual:
      'manuals?|handbooks?|(?:user|owner|operating|reference|admin\\w*|quick start|installation|getting started) guides?|guides?|instructions|how-?tos?|documentation|reference (?:documentation|card)|tutorials?|faqs?|readme',
    minutes:
      'minutes|(?:site |board |committee |team |general |annual |project |first |design |staff )*meetings?|agm|board',
    offer: 'offers?|quotes?|quotations?|estimates?|proposals?|tenders?|bids?',
    payslip: 'pay ?slips?|wage slips?|pay ?stubs?|salary slips?',
    policy: 'polic(?:y|ies)|insurance(?: schedules?)?|cover notes?',
    receipt: 'receipts?|till rolls?|proofs? of purchase',
    recipe: 'recipes?',
    report:
      'reports?|surveys?|risk assessments?|evaluations?|analys[ei]s|findings|case stud(?:y|ies)|discharge (?:letter|summary)|school reports?',
    rules:
      'by-?laws|statutes?|constitution|articles of association|house rules|rules|regulations|code of conduct',
    statement:
      '(?:(?:bank|account|mortgage|annual|tax|pension|card|credit card|interest|monthly|quarterly|service charge) )+statements?|(?<=^|my |all |the )statements?|statements? of account|tax calculations?|tax returns?|balance sheets?',
    talk: 'talks?|slides?|presentations?|lectures?|slide decks?',
  },
  salutation: 'dear|hello|hi|good (?:morning|afternoon|evening)|to whom it may concern',
  closing:
    '(?:yours|kind|best|warm|many)? ?(?:sincerely|faithfully|truly|regards|wishes|thanks)|cheers|love',
  dated:
    '(?:invoice |issue |statement |tax |order |letter |report )?date(?: of (?:issue|invoice|this letter))?|dated|issued(?: on)?|(?:signed|made)(?: on)?|as (?:of|at)|in the version of|adopted(?: on)?|(?:changed|amended) on|assessed(?: on)?|last (?:updated|revised|changed)|revised|effective|printed(?: on)?|paid on|meeting of|held on|report of',
  otherDay:
    'born|birth|until|till|by|due|before|valid|expires?|expiry|since|from|to|your letter of|letter of|visit of|on or before|renew\\w*|next|ends?|starts?|begins?',
  parties:
    'from|to|for|attn|attention|attendees|present|there|participants|apologies|client|customer|tenant|landlord|landlady|lessor|lessee|buyer|seller|vendor|supplier|employer|employee|insured|policyholders?|insurer|borrower|lender|patient|candidate|author|prepared (?:by|for)|bill(?:ed)? to|ship to|sold to|sold by|issued (?:by|to)|signed by|contractor|principal|account holder|payer|payee|name',
  between: 'between|by and between',
  honorifics: 'mr|mrs|ms|miss|mx|dr|prof|sir|revd|rev',
  subject: 'subject|re|regarding|concerning',
  version: 'versions?|editions?|ed\\.|revisions?|rev|drafts?|issue|release',
  replaces:
    'replaces|replaced by|replacing|supersed(?:es?|ed|ing)|amends|amended|amendment (?:no\\.? ?\\d+ )?to|endorsement (?:no\\.? ?)?\\d* ?to|addendum to|renews|renewal of|in place of|cancels|(?:is|are) (?:hereby )?changed|changed on|change to your|correct(?:s|ion) (?:of|to|our)|updates? (?:to|our)',
  changes:
    'with effect from|effective from|effective|from now on|no longer|becomes?|became|is raised|are raised|is reduced|rises? (?:from|to|by)|increas(?:es?|ed) (?:from|to|by)|(?:is|are|was|were|has been|have been) (?:changed|moved|postponed|raised|reduced|increased|lowered|renewed|rescheduled|cut|replaced)|until now|instead of|new (?:date|price|rate|rent|number|address|fee|limit|time|tariff)|formerly|previously|cannot take place|now',
  say: {
    more: 'and {} more',
    oneFile: '1 file',
    newest: '{} files, newest first',
    none: 'You have no such files.',
    noneThen: 'You uploaded no such files in that time.',
  },
};
