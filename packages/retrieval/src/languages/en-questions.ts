import type { RecommendedWords } from './language.ts';

const ROLES =
  '[Ll]andlord|[Tt]enant|[Mm]anager|[Ll]ead|[Ll]eader|[Dd]irector|[Ee]ngineer|[Tt]eacher|[Ss]ponsor|[Oo]wner|[Cc]hair|[Tt]reasurer|[Ss]ecretary|[Cc]oordinator|[Ss]upervisor|[Dd]octor|[Cc]lient|[Cc]ustomer|[Bb]uyer|[Ss]eller|[Ee]xecutor|[Ii]nstructor|[Cc]onductor|[Cc]ontractor|[Gg]uarantor|[Aa]uthor|[Ee]ditor|[Ss]peaker|[Hh]ost|[Oo]rganiser';
/** What has a value of its own: 'Notice period: three months'. */
const THINGS =
  '[Pp]eriod|[Vv]enue|[Ll]ocation|[Dd]estination|[Dd]iagnosis|[Dd]osage|[Dd]ose|[Ww]arranty|[Aa]ddress|[Dd]epartment|[Ee]mployer|[Ss]chool|[Aa]llergy|[Pp]rovider|[Ss]upplier|[Bb]reed|[Mm]odel|[Tt]ariff|[Ff]requency|[Mm]edication|[Nn]umber|[Cc]ode|[Rr]eference|[Rr]ate|[Cc]lass|[Rr]eading|[Ss]core|[Rr]ating|[Ss]ize|[Pp]ostcode|[Pp]late|[Ll]icence|[Vv]ersion|[Tt]emperature|[Pp]ressure|[Mm]ileage|[Cc]apacity|[Ll]imit|[Dd]uration|[Bb]udget';
/** What costs money, in the rows of tables, too. */
const SUMS =
  '[Pp]rice|[Cc]ost|[Ff]ee|[Rr]ent|[Pp]remium|[Ss]alary|[Dd]eposit|[Ee]xcess|[Cc]harge|[Ww]age|[Tt]ax|[Ff]are|[Ff]ine|[Bb]onus|[Dd]onation|[Rr]efund|[Bb]ill|[Tt]otal|[Bb]udget|[Vv]alue|[Pp]ay|[Pp]ayment|[Ll]oan|[Mm]ortgage|[Bb]alance|[Aa]llowance|[Dd]iscount|[Ss]ubscription';
const WHENS =
  '[Dd]eadline|[Mm]eeting|[Aa]ppointment|[Dd]eparture|[Aa]rrival|[Rr]enewal|[Vv]isit|[Ee]xam|[Cc]heck-?(?:in|out)';
const PERSON =
  'author|writer|actor|actress|president|politician|scientist|engineer|musician|singer|composer|painter|artist|philosopher|poet|director|professor|physicist|mathematician|lawyer|founder|minister|historian|explorer|inventor|chemist|biologist|economist|architect|emperor|king|queen|general|manager|secretary|journalist|editor|teacher|doctor';
const DID =
  '(?:\\p{Ll}{2,}ed|won|became|began|built|wrote|made|took|gave|led|sent|held|left|bought|sold|lost|founded)';
const TASKS =
  '[Rr]eset|[Oo]pen|[Cc]lose|[Ii]nstall|[Cc]onnect|[Cc]hange|[Rr]emove|[Cc]lean|[Rr]eplace|[Ss]tart|[Ss]top|[Tt]urn (?:on|off)|[Uu]se|[Cc]reate|[Aa]dd|[Ss]et up|[Ss]et|[Cc]heck|[Mm]ake|[Cc]ook|[Bb]ake|[Aa]pply|[Cc]ancel|[Rr]enew|[Rr]equest|[Bb]ook|[Pp]ay|[Rr]egister|[Rr]eport|[Ee]nable|[Dd]isable|[Cc]onfigure|[Uu]pdate|[Pp]rint|[Ss]ave|[Dd]elete|[Rr]estore|[Cc]harge|[Pp]air|[Ff]ill|[Uu]nlock|[Ll]ock|[Rr]eturn|[Oo]rder|[Aa]djust|[Bb]leed|[Cc]alibrate|[Mm]ount|[Ff]ix|[Rr]epair|[Dd]rain|[Ee]mpty|[Mm]easure|[Cc]opy|[Ii]mport|[Ee]xport|[Rr]un|[Bb]uild|[Ee]nter|[Ss]tore|[Pp]lant|[Ss]ow|[Pp]rune';

/** The questions that are made of what English files say, the surest first. */
export const ENGLISH_QUESTIONS: RecommendedWords = {
  of: 'of',
  joins: 'for in on from between and with to at by',
  pointing:
    'it this that these those he she they we i you them him such same above below here there who which me us its their his her our my your one ones other others fourth last next former latter subsequently later even',
  fields: [
    [String.raw`(<label>(?:${ROLES})): <person>`, 'Who is the $1?'],
    [
      String.raw`(<label>(?:${WHENS})|[\p{L}’'-]+ (?:[Dd]ate|[Dd]ay|[Ss]tart|[Ee]nd)): [^:]{0,12}?<date>`,
      'When is the $1?',
    ],
    [String.raw`(<label>(?:${SUMS})): [^\d:]{0,12}?<money>`, 'How much is the $1?'],
    [String.raw`(<label>(?:${THINGS})): <code>`, 'What is the $1?'],
  ],
  sentences: [
    [
      String.raw`<subject> (was|were) (?:\p{Ll}+ly )?(\p{Ll}+ed|built|born|held|begun|sold|won|written|made|set|shown)((?: (?:to|by|at|for|into|as|off|the|an?) [^.,;:()]{2,40}?)?) (?:in|on|by|at the end of) <date>`,
      'When $2 $1 $3 $4?',
    ],
    [
      String.raw`<subject> (is|are|was|were) (?:\p{Ll}+ly )?(located|situated|based|held|kept|stored|buried|headquartered|housed|filmed) (?:in|at|near|on|under|behind) `,
      'Where $2 $1 $3?',
    ],
    [String.raw`<subject> costs [^.]{0,30}?<money>`, 'How much does $1 cost?'],
    [
      String.raw`<subject> (is|are|was|were) (?:about |currently |set at )?<money>`,
      'How much $2 $1?',
    ],
    [
      String.raw`<subject> (last|take|run)s (?:for )?(?:about |at least |up to )?<count> (?:to \S+ )?(?:minutes|hours|days|weeks|months|years)`,
      'How long does $1 $2?',
    ],
    [
      String.raw`<subject> (is|was|are|were) (\p{Ll}+ed|written|built|led|made|won) by (?:the \p{Ll}+ )?<person>`,
      'Who $2 $1 $3 by?',
    ],
    [
      String.raw`<person> (founded|wrote|designed|leads|manages|chairs|owns|invented|discovered|directed|painted|composed|teaches|runs|organised|organized|led|established|developed|edited) ((?:the|an?) [\p{L}\p{N}'’ -]{5,50}?)(?: (?:in|on|for|at|from|since|by|with|and|as) |[.,;])`,
      'Who $2 $3?',
    ],
    [
      String.raw`(?=<person> (?:is|was) (?:an?|the) (?:[\p{L}-]+ ){0,4}(?:${PERSON}))<subject> (is|was) `,
      'Who $3 $2?',
    ],
    [
      String.raw`(\p{Lu}\p{L}+ (?:\p{Lu}\. )?\p{Lu}\p{L}+), (?:the |an? )?(?:[\p{L}-]+ ){0,3}(?:${PERSON})(?!\p{L})`,
      'Who is $1?',
    ],
    [
      String.raw`<subject> (is|are|was|were|can|must|should|will|would) ([^.,;:()]{4,50}?),? because (?!of (?:this|that|it))`,
      'Why $2 $1 $3?',
    ],
    [
      String.raw`To (\p{Ll}{3,} (?:out |up |off |on )?(?:the|an?) [\p{L}\p{N}'’ -]{3,50}), (?:please )?(?!the |an? |its |it |he |she |they |we )\p{Ll}{3,} (?:the|an?|your|both|it|to|in|on|at|down|up|all|off|out|into|any|each) `,
      'How do I $1?',
    ],
    [
      String.raw`On (?=<date>,)([^,]{3,30}(?:, \d{4})?), <subject> ${DID} (?!by|in|on|to)`,
      'What did $3 do on $2?',
    ],
    [
      String.raw`In (?=<date>,)([^,]{3,30}(?:, \d{4})?), <subject> ${DID} (?!by|in|on|to)`,
      'What did $3 do in $2?',
    ],
    [
      String.raw`<subject> ${DID} (?:the|an?|its|their|his|her|\p{Lu})[^.,;:()]{3,80}? in <date>[.,]`,
      'What did $1 do in $2?',
    ],
    [
      String.raw`On (?=<date>,)((?:\p{L}+ \d{1,2}, |\d{1,2} \p{L}+ )\d{4}), (?=.{30})`,
      'What happened on $2?',
    ],
    [String.raw`In (?=<date>,)(\p{L}+ \d{4}), (?=.{30})`, 'What happened in $2?'],
    [
      String.raw`<subject> (is|are|was|were) (\p{Ll}+(?:ed|wn|lt|nt|ld|de)) (from|into|with|by|as|for|in) (?!it|this|that|these|those|which|such|he|she|they|his|her|their|its)`,
      'What $2 $1 $3 $4?',
    ],
    [
      String.raw`<subject> (is|are|was|were) (used for|known for|known as|made of|part of|based on|derived from|named after|responsible for|associated with|similar to|surrounded by|characterized by|replaced by|connected to|composed of|divided into|famous for|home to|also known as|limited to|caused by|followed by) `,
      'What $2 $1 $3?',
    ],
    [
      String.raw`<subject> (contain|require|include|provide|cover|produce|prevent|protect|define|describe|explain|prohibit|allow|enable|permit|offer|own|operate|publish|believe|need|want|consist of|refer to|stand for)s [^.]{8,}`,
      'What does $1 $2?',
    ],
    [
      String.raw`The ((?:\p{Ll}{3,}est|most \p{Ll}+) [\p{L}\p{N}'’ -]{4,50}?) (is|was|are|were) (?:\p{Lu}|an? |the )`,
      'What $2 the $1?',
    ],
    [
      String.raw`(?=An? |(?:The )?\p{Lu}[\p{L}’'-]+ (?:of )?\p{Lu})<subject> (is|are|was|were) (?:an?|the) [^.]{12,}`,
      'What $2 $1?',
    ],
  ],
  headings: [
    [String.raw`(?:\d+[.)]? )?How to ([\p{L}\p{N}'’ -]{5,60})$`, 'How do I $1?'],
    [
      String.raw`(?:\d+[.)]? )?((?:${TASKS}) (?!of |and |in |for |by |with )[\p{L}\p{N}'’ -]{3,50})$`,
      'How do I $1?',
    ],
  ],
  papers: {
    'invoice Total': ['How much is invoice {number}?', 'How much is the invoice from {party}?'],
    'invoice Due': ['When is invoice {number} due?', 'When is the invoice from {party} due?'],
    'receipt Total': ['How much is the receipt from {party}?'],
    'payslip Net pay': ['How much was the net pay in {month}?'],
    recipe: ['How do I make {title}?'],
    minutes: ['What are the main points of the minutes of {date}?'],
    letter: ['What are the main points of the letter from {party}?'],
  },
};
