import { ENGLISH_BASES } from './en-forms.ts';
import type { LanguagePack } from './language.ts';

const STOP_WORDS = `a about after again all also am an and another any are as at be because
been before being between both but by can could did do does doing done during each else ever every
for from had has have having he hence her here hers him his how however i if in into is it its itself
just let like may me might mine must my no nor not now of off on once only or other our ours out over
own per please shall she should since so some such than that the their theirs them then there these
they this those thus to too under until up upon us very via was we well were what whatever when
whenever where wherever which while who whom whose why will with within without would yes you your
yours s t don't didn't doesn't isn't aren't wasn't weren't what's who's where's when's how's it's
i'm that's there's`;

export const english: LanguagePack = {
  code: 'en',
  stemmer: 'english',
  irregular: ENGLISH_BASES,
  stopWords: STOP_WORDS,
  abbreviations: `mr mrs ms dr prof st rev hon gen col lt capt sgt gov sen rep pres messrs mt ft v vs e.g i.e cf
ca approx est bros dept univ assn no nos vol vols pp p fig figs sec art ch ed eds jan feb mar
apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun ph.d b.a m.a`,
  finalAbbreviations: 'etc inc ltd co corp a.m p.m u.s u.k u.n d.c b.c a.d al jr sr',
  sentenceOpeners: `the a an in it this these he she they we i on at as his her their its there but and for after
when while however`,
  secrets:
    'pass(?:word|code|phrase)s?|(?:alarm|door|gate|access|entry|safe|security)[ -]?codes?|(?<!\\p{L})(?:pins?|puk|secrets?|tokens?|api[ _-]?keys?|private keys?|recovery (?:code|phrase)s?|seed phrases?|iban|bic|cvc|cvv|ssid)(?!\\p{L})',
  secretLabels: '(?<!\\p{L})(?:tan|key|mac)(?!\\p{L})',
  numbers: `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen twenty`,
  one: 'a an',
  time: {
    locales: ['en-GB'],
    phrases: {
      'day 0': 'tonight|this (?:morning|afternoon|evening)',
      'day 2': '(?:the )?day before yesterday',
    },
    last: 'last|past|previous',
    weekend: '(?:the )?(?:last|past) weekend|(?<=(?:over|from|of|during|since|on|at) )the weekend',
    seasons: ['spring', 'summer', 'autumn|fall', 'winters?'],
    ordinals: ['first|1st', 'second|2nd', 'third|3rd', 'fourth|4th'],
    quarter: '{}[\\s-]quarter',
    half: '{}[\\s-]half',
    of: 'of ',
    on: 'on(?: the)?',
    before: 'before(?: the)?|prior to',
    after: 'after(?: the)?',
    since: 'since(?: the)?|starting(?: in| on)?',
    ambiguous: 'may|march|fall|spring|summer|autumn|winter',
    lead: '(?:in|of|from|since|until|till|by|this|last|next|during|for|early|late|mid)(?: the)?',
  },
  measures: {
    quarter: 'quarter quarters',
    thousand: 'thousands',
    million: 'millions',
    billion: 'billions',
    trillion: 'trillions',
    mg: 'milligram milligrams',
    kg: 'kilo kilos',
    ton: 'ton tons tonne tonnes',
    watt: 'watt watts',
    kw: 'kilowatt kilowatts',
    volt: 'volt volts',
    euro: 'euro euros',
    dollar: 'dollar dollars',
    pound: 'pound pounds',
    franc: 'franc francs',
    yuan: 'yuan',
    yen: 'yen',
  },
  periods: {
    hourly: 'hour',
    daily: 'day',
    weekly: 'week',
    monthly: 'month',
    quarterly: 'quarter',
    yearly: 'year',
    annual: 'year',
    annually: 'year',
  },
  answerKinds: `name names named call called kind type sort term word thing many much number amount percentage
percent year date day month century time person people example describe explain list mention mean
meaning happen refer consider use give take go tell say know long often first`,
  firstPerson: 'i me my mine we us our ours',
  each: 'per a an each every',
  references: String.raw`it|they|them|he|she|him|(?<=(?:about|for|with|from|to|of|on|in|by|does|did|is|was|do|like)\s)(?:her|this|that|these|those|there)(?=\s*(?:$|[?,.]|cost|happen|mean|work|end|start|begin|take|last|apply))|(?:this|that|these|those)(?=\s+(?:is|was|are|were|cost|happen))|the (?:same|former|latter)|its|their|his|her`,
  phrases: {
    joins: 'of',
    nameJoins: 'of',
  },
  uploads: {
    pdf: "pdf(?:s|['’]s)?(?: files?| documents?)?",
    picture: 'pictures?|photos?|photographs?|images?|screenshots?|scans?|jpe?gs?|pngs?',
    spreadsheet: 'spreadsheets?|excel (?:files?|sheets?)|excels?|xlsx|csvs?|csv files?',
    presentation: 'presentations?|slide ?decks?|slides|powerpoints?|powerpoint files?',
    recording: 'recordings?|audio(?: files?| recordings?)?|voice memos?|podcasts?|mp3s?',
    video: 'videos?|video ?clips?',
    archive: 'zips?|zip files?',
    text: 'text files?',
    files: 'files?|documents?|docs?|uploads|what(?= (?:i|we)(?!\\p{L}))',
    uploaded:
      '(?:uploaded|added|imported|saved|did (?:i|we) (?:upload|add|import|save))(?! (?:to|by) (?!(?:my |our |the )?(?:library|engram)(?!\\p{L})))',
    newest: 'newest|latest|last|most recent|recent(?:ly)?',
    list: 'list|show (?:me|us|all|my|our|the)|give me|display|find|my|our|all|any|every|everything|anything|have|how many|number of|there|new|library|engram|(?:what|which) (?:files|documents|pdfs|photos|pictures)',
  },
  files: {
    named:
      '(?:in|from|of|see|per) (?:the |my |our )?(?:file|document)s?(?: (?:named|called|titled))?|(?:file|document)s? (?:named|called|titled)',
    according: 'according to|as per',
    beforeQuoted: 'according to|as per|in|from|see|per|files?|documents?',
    folder: '(?:folder|directory|subfolder)(?: (?:named|called|titled))?',
    article: 'the|my|our|a|files?|documents?|folder|directory',
  },
  documents: {
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
    dated:
      '(?:invoice |issue |statement |tax |order |letter |report )?date(?: of (?:issue|invoice|this letter))?|dated|issued(?: on)?|(?:signed|made)(?: on)?|as (?:of|at)|in the version of|adopted(?: on)?|(?:changed|amended) on|assessed(?: on)?|last (?:updated|revised|changed)|revised|effective|printed(?: on)?|paid on|meeting of|held on|report of',
    otherDay:
      'born|birth|until|till|by|due|before|valid|expires?|expiry|since|from|to|your letter of|letter of|visit of|on or before|renew\\w*|next|ends?|starts?|begins?',
    subject: 'subject|re|regarding|concerning',
    version: 'versions?|editions?|ed\\.|revisions?|rev|drafts?|issue|release',
    mailFrom: 'from',
    mailTo: 'to|date',
    beforeDay: 'on|the',
    balance: 'balance',
    sums: '(?:grand |sub-?)?totals?|sum|average|mean',
    balances:
      '(?:opening |closing )?balance(?: (?:brought|carried) forward)?|(?:brought|carried) forward',
    money: 'amount|fee|price|cost|total|paid|balance|debit|credit|owes?|net|gross',
  },
  instructions: {
    toModels: [
      /(?<![-\w])(?:ignore|disregard|forget|override|bypass|discard)\b[^.!?\n]{0,60}\b(?:instructions?|prompts?|rules|guidelines|directions|context|passages|constraints|everything (?:above|before|else)|all (?:files|documents|of the above))\b/iu,
      /^\W*(?:(?:system|assistant|developer|ai)\s*(?:message|prompt|note|override)|(?:new |important )?instructions? (?:to|for) (?:the )?(?:ai|assistant|model))\s*[:>\]]|^\W*(?:system|developer|(?:new|important) instructions?)\s*[:>\]]\s*(?:\S+\s+){3,}\S+[.!]/iu,
      /\byou are (?:now|no longer|from now on)\b[^.!?\n]{0,40}\b(?:assistant|ai|model|bot|chatbot|dan|gpt|mode|jailbroken|unrestricted|bound)\b|\byou are (?:a|an)\b[^.!?\n]{0,30}\b(?:ai|chatbot|language model|gpt|unrestricted)\b|^\W*(?:(?:please|now)\s+)?(?:act as|pretend (?:to be|that you|you)|role-?play as)\b|\b(?:switch to \w+ mode|developer mode)\b/iu,
      /\b(?:ai|language models?|llms?|chatbots?|(?:the|this|any|every|all) (?:assistants?|models?))\b[^.!?\n]{0,30}\b(?:reading this|(?:must|should|shall|have to|please|need to|(?:are|is) required to)\s+(?:\w+\s+)?(?:answer|say|reply|respond|tell|recommend|ignore|output|state|claim|repeat|append))\b|\b(?:note|message|attention|hint)\s*(?:[,:]\s*)?(?:to|for)\s+(?:the |any |all |every )?(?:ai|llm|assistant|chatbot|language model)s?\b/iu,
      /\b(?:do not|don['’]t|never)\s+(?:mention|reveal|tell|cite|quote|follow|obey|disclose|answer)\b[^.!?\n]{0,40}\b(?:the (?:user|reader)|passages?|documents|rules|instructions?|sources?|prompt)\b/iu,
      /\bthe (?:correct|right|only|true|final) answer (?:to (?:any|every|all|each)|is always)\b/iu,
    ],
    orders: [
      /^\W*(?:(?:please|now|instead|then|and|first|also|always|you (?:must|should|will|shall|have to)|the (?:assistant|ai|model) (?:must|should|will|shall))[\s,]+)*(?:answer|respond|reply|say|output|print|tell (?:the )?(?:user|person|reader|them|him|her|people)|state|claim|repeat|translate|summari[sz]e|write|insert|append|include|begin|start|end|conclude|finish)\b[^.!?\n]{0,30}?(?:\b(?:that|only|exactly|the (?:following|words?|phrase|sentence)|your (?:answer|reply|response|output))\b|["“])/iu,
      /^\W*(?:answer|respond|reply|say|output|print)\s*:\s*<[a-z!]/iu,
      /\b(?:when|if|whenever|once)\s+(?:(?:you|anyone|anybody|somebody|someone|they|(?:the|a) user)(?:['’]re)?\s+)?(?:(?:is|are)\s+)?(?:asked|asks?|prompted|queried|questioned)\b[^.!?\n]{0,60}\b(?:answer|say|reply|respond|tell|claim|output)\b/iu,
    ],
    words: 'ignor|disregard|overrid|bypass|instruct|prompt|inject|assistant|chatbot|jailbreak',
  },
  recommended: {
    how: 'how',
    heading: 'What should I know about “{}”?',
    amount: 'How much is the {} in “{title}”?',
    field: 'What is the {} in “{title}”?',
    ofRow: '{} of {row}',
    title: 'What is “{title}” about?',
    name: 'Who or what is {}?',
    phrase: 'Where is “{}” mentioned?',
  },
  claims: {
    not: 'not|no|never|none|neither|nor|nobody|nothing|nowhere|without|cannot|unable|fails|failed|lacks?|impossible|invalid|(?:prohibit|exclud)(?:ed|es|ing)|prohibits|forbidden|forbids|banned|bans',
    harmless: String.raw`not only|not? (?:more|less|fewer|later|earlier|longer|higher) than|not exceed|no\.? ?\d|without (?:notice|delay|limit)`,
    commonEnding:
      /(?:(?:tion|sion|ment|ing|ness|ity|ly|ance|ence|ism|ship|age|ee|er|ier)s?|ed|ies|ees|ers)$/u,
    contrasts: 'but|however|whereas|while|although|except|and',
    opposites: [
      'allow allows allowed permit permits permitted/prohibit prohibits prohibited forbids forbidden bans banned',
      'more/less fewer',
      'most/least',
      'over above/under below',
      `rise rises rose risen increase increases increased increasing grew grow grows grown climbed gained/fall falls
fell fallen decrease decreases decreased decreasing decline declines declined drop dropped shrank sank`,
      'higher larger greater longer/lower smaller shorter',
      'earlier/later',
      'first/last',
      'minimum/maximum',
      'profit/loss losses',
      'income revenue/expense expenses',
      'buy buys bought buyer/sell sells sold seller',
      'accepted approved/rejected refused',
      'won/lost',
      'arrives arrived/departs departed leaves left',
      'included includes including/excluded excludes excluding',
    ],
    lacks: [
      'passages?|files?|documents?|sources?|context|information|text',
      "do(?:es)?(?:n['’]t| not)|no|not|lacks?|without",
      '(?:mention|sa[iy]|contain|provide|specif|state|include|indicate|cover|answer|give|inform|detail)\\p{L}*',
    ],
    knowsNothing:
      "(?:do not|don['’]t|cannot|can['’]t|could not|couldn['’]t|unable to) (?:know|find|tell|determine|answer|say|see)|(?:not|no) (?:enough |any |further )?(?:information|mentioned|specified|provided|stated|known)",
  },
};
