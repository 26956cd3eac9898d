import { ENGLISH_STATEMENTS } from './statements.ts';
import { certain, definite, isBareName, POINTING, SUBJECT, subjectOf } from './subject.ts';
import { countOf, SIMPLE, template, wordSet } from './template.ts';
import type { Template } from './template.ts';

const ASIDE = String.raw`(?: \([^()]{1,60}\))?`;
const NAME = String.raw`\p{Lu}[\p{L}.'’-]+(?: (?:\p{Lu}[\p{L}.'’-]*|de|van|von|der|la|of)){1,4}`;
const MONTH =
  '(?:January|February|March|April|May|June|July|August|September|October|November|December)';
const DATE = String.raw`(?:${MONTH} \d{1,2}(?:, \d{4})?|\d{1,2}(?:st|nd|rd|th)? ${MONTH}(?: \d{4})?|(?:early |late )?${MONTH}(?: \d{4})?|(?:early |late )?(?:1\d{3}|20\d{2})|\d{4}-\d\d-\d\d)`;
const PERSON =
  /^(?:an? |the )(?:[\p{L}-]+ ){0,4}?(?:author|writer|actor|actress|king|queen|president|politician|scientist|engineer|musician|singer|composer|painter|artist|philosopher|general|poet|director|professor|physicist|mathematician|lawyer|founder|minister|historian|explorer|inventor|player|chemist|biologist|economist|architect|monk|emperor|khan|theologian|reformer)\b/u;

/** Past forms of what happens to things on a day, with their bases. */
const HAPPENS = new Map(
  `opened:open closed:close began:begin started:start ended:end died:die arrived:arrive retired:retire
collapsed:collapse debuted:debut premiered:premiere expired:expire resigned:resign moved:move merged:merge
launched:launch aired:air emerged:emerge broke:break fell:fall signed:sign joined:join founded:found
acquired:acquire purchased:purchase published:publish released:release completed:complete won:win left:leave
became:become introduced:introduce adopted:adopt established:establish announced:announce received:receive
visited:visit entered:enter captured:capture invaded:invade conquered:conquer discovered:discover
invented:invent married:marry`
    .split(/\s+/u)
    .map((pair) => pair.split(':') as [string, string]),
);
const DOES =
  wordSet(`founded wrote designed directed invented discovered composed painted built created
leads manages chairs owns heads teaches runs led chaired organised organized established developed edited
presented translated supervises coordinates`);
const DONE =
  wordSet(`designed directed founded invented discovered composed painted created managed chaired owned headed
developed edited presented produced published recorded introduced established organised organized commissioned
approved signed appointed proposed translated`);
const TASKS =
  wordSet(`reset open close install connect change remove clean replace start stop turn use create
add set check make cook bake prepare apply cancel renew request book pay register report submit log sign access
enable disable configure update download upload print save delete restore charge pair fill descale unlock lock
activate return claim contact join enter order exchange terminate end extend calibrate mount attach fix repair
drain empty adjust switch measure calculate avoid reduce increase improve prevent protect view find get send
share move copy export import run build test deploy`);

const ROLES =
  'author|writer|actor|actress|president|politician|scientist|engineer|musician|singer|composer|painter|artist|philosopher|director|professor|physicist|lawyer|founder|minister|historian|chief executive|chairman|economist|journalist|manager|secretary|spokesman|spokeswoman|researcher|chemist|biologist|editor|architect';
const NUMBER = String.raw`\d[\d,]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty`;
const MEANS = new Map([
  ['refers to', 'refer to'],
  ['stands for', 'stand for'],
]);
const HAS = new Map([
  ['contains', 'contain'],
  ['employs', 'employ'],
  ['operates', 'operate'],
]);
/** Clauses within what should be the name of one thing. */
const ASIDES =
  /\b(?:that|which|who|whose|because|is|are|was|were|has|have|had|and|or|but|said|you|we|they|you['’]ll)\b/iu;

const asLower = (verb: string): string => verb.toLowerCase();
const simple = (text: string, most: number): boolean => SIMPLE.test(text) && countOf(text) <= most;

/** What somebody did; of other words in -ed it is not sure that they are verbs here. */
const ACTED = `announced|launched|signed|acquired|bought|sold|opened|closed|published|released|founded|formed|established|created|introduced|adopted|began|started|ended|moved|won|lost|became|joined|left|received|purchased|agreed|decided|filed|built|wrote|made|took|gave|led|sent|held|ordered|invaded|conquered|captured|defeated|attacked|declared|proposed|developed|discovered|invented|completed|expanded|appointed|elected|approved|rejected|ruled|issued|passed|refused|returned|visited|travelled|traveled|married|demonstrated|presented|produced|offered|reached|changed|replaced|reported|stated|argued|warned|claimed|revealed|settled|merged|raised|banned|granted|commissioned`;

const THERE_ARE = new RegExp(
  `^There (are|were) (?:about |over |around |more than |approximately )?(?:${NUMBER}) ((?:[\\p{L}-]+ ){0,3}?\\p{Ll}+s) (in|at|on) ((?:the \\p{L}|\\p{Lu})[^.,;:()]{2,40})[.,]`,
  'u',
);
const IN_A_ROLE = new RegExp(
  `(?:^|[ (])(\\p{Lu}\\p{Ll}+ (?:\\p{Lu}\\. )?\\p{Lu}\\p{Ll}+), ((?:an? |the )?(?:[\\p{L}-]+ ){0,3}?)(${ROLES})\\b`,
  'u',
);

/** What questions are made of English sentences by, the surest first. */
export const ENGLISH: readonly Template[] = [
  template(
    'when-passive',
    new RegExp(
      `^${SUBJECT}${ASIDE} (was|were) (?:\\p{Ll}+ly )?(\\p{Ll}+ed|built|born|held|begun|sold|won|written|made|shown|set)\\b([^.,;]*?) (?:in|on|by|at the end of) ${DATE}\\b`,
      'u',
    ),
    definite,
    (subject, [verb = '', past = '', rest = '']) =>
      rest === '' ||
      (simple(rest, 4) &&
        !/\b(?:from|between|until|by|as|during|for)\b/u.test(rest) &&
        !POINTING.test(rest))
        ? `When ${verb} ${subject} ${past}${rest === '' ? '' : ` ${rest}`}?`
        : null,
  ),
  template(
    'when-fronted',
    new RegExp(`^(?:In|On) ${DATE}, ${SUBJECT} (was|were) ([^.,;:()]{4,60})[.]`, 'u'),
    definite,
    (subject, [verb = '', rest = '']) =>
      simple(rest, 5) && !POINTING.test(rest) ? `When ${verb} ${subject} ${rest}?` : null,
  ),
  template(
    'when-active',
    new RegExp(
      `^${SUBJECT} (${[...HAPPENS.keys()].join('|')})((?: (?:the |an? |its |his |her )?[\\p{L}\\p{N}'’-]+(?: [\\p{L}\\p{N}'’-]+){0,4}?)?) (?:in|on) ${DATE}\\b`,
      'u',
    ),
    definite,
    (subject, [past = '', object = '']) => {
      const base = HAPPENS.get(past);
      const clear = object === '' || (simple(object, 5) && !POINTING.test(object));
      return base === undefined || !clear
        ? null
        : `When did ${subject} ${base}${object === '' ? '' : ` ${object}`}?`;
    },
  ),
  template(
    'when-modal',
    new RegExp(
      `^${SUBJECT} (must|can|may|should|will|shall) (be \\p{Ll}+(?:ed|en|id|nt|de)|take place|start|begin|end|expire|close|open)([^.,;:()]{0,30}?) (?:within|by|on|before|until|at|no later than) (?:the )?(?:\\d|${MONTH}|\\p{L}+ (?:days|weeks|months|hours))`,
      'u',
    ),
    subjectOf,
    (subject, [modal = '', verb = '', rest = '']) =>
      simple(rest, 4) && !POINTING.test(rest)
        ? `When ${modal} ${subject} ${verb}${rest === '' ? '' : ` ${rest}`}?`
        : null,
  ),
  template(
    'where',
    new RegExp(
      `^${SUBJECT}${ASIDE} (is|are|was|were) (located|situated|based|held|headquartered|housed|buried|kept|stored|filmed|found) (?:in|at|near)\\b`,
      'u',
    ),
    definite,
    (subject, [verb = '', past = '']) => `Where ${verb} ${subject} ${past}?`,
  ),
  template(
    'due',
    new RegExp(`^${SUBJECT} (is|are) due (?:on|by|in|within)\\b`, 'u'),
    subjectOf,
    (subject, [verb = '']) => `When ${verb} ${subject} due?`,
  ),
  template(
    'cost',
    new RegExp(
      `^${SUBJECT} (costs?) [^.]*?(?:[€$£¥]\\s?\\d|\\d,*(?:\\.[\\d.,]*)? ?(?:euros?|EUR|dollars|pounds|USD|GBP|cents)\\b)`,
      'u',
    ),
    subjectOf,
    (subject, [verb = '']) => {
      if (verb === 'costs') return `How much does ${subject} cost?`;
      return subject.endsWith('s') ? `How much do ${subject} cost?` : null;
    },
  ),
  template(
    'amount',
    new RegExp(
      `^${SUBJECT} (is|are|was|were) (?:about |around |approximately |currently |set at |limited to )?(?:[€$£¥]\\s?\\d|\\d[\\d.,]* ?(?:euros?|EUR|dollars|pounds|USD|GBP|km|kg|kWh|litres|degrees)\\b)`,
      'u',
    ),
    subjectOf,
    (subject, [verb = '']) => (/^an? /u.test(subject) ? null : `How much ${verb} ${subject}?`),
  ),
  template(
    'duration',
    new RegExp(
      `^${SUBJECT} (takes|lasts|take|last|runs|run)(?: for)? (?:about |around |at least |up to )?(?:\\d|one|two|three|four|five|six|eight|ten|twelve|eighteen)\\S* (?:to \\S+ )?(?:minutes|hours|days|weeks|months|years|seconds)\\b`,
      'u',
    ),
    subjectOf,
    (subject, [verb = '']) =>
      `How long ${verb.endsWith('s') ? 'does' : 'do'} ${subject} ${verb.replace(/s$/u, '')}?`,
  ),
  template(
    'by-whom',
    new RegExp(
      `^${SUBJECT}${ASIDE} (is|are|was|were) (built|written|led|taught|${[...DONE].join('|')}) by (?![^.,]*(?:Route|Charter|Act|Treaty|Law|Highway|System|War)\\b)(?:the \\p{Ll}+ )?${NAME}`,
      'u',
    ),
    definite,
    (subject, [verb = '', past = '']) => `Who ${verb} ${subject} ${past} by?`,
  ),
  template(
    'who-does',
    new RegExp(
      `^(?:${NAME}) (${[...DOES].join('|')}) ((?:the |an? )?[\\p{L}\\p{N}'’-]+(?: [\\p{L}\\p{N}'’-]+){0,4}?)(?: (?:in|on|for|at|from|since|by|with|and|to|between|during)\\b|[.,;(])`,
      'u',
    ),
    (text) => text,
    (verb, [object = '']) => {
      const bare = object.replace(/^an? /u, '');
      const told = object !== bare || POINTING.test(object) || subjectOf(object) === null;
      return told || countOf(object) < 2 ? null : `Who ${asLower(verb)} ${object}?`;
    },
  ),
  template(
    'who',
    new RegExp(`^${SUBJECT}${ASIDE} (is|was) ((?:an?|the) [^.]{12,})`, 'u'),
    subjectOf,
    (subject, [verb = '', rest = '']) =>
      PERSON.test(rest) && /^\p{Lu}/u.test(subject) ? `Who ${verb} ${subject}?` : null,
  ),
  template(
    'why',
    new RegExp(
      `^${SUBJECT} (is|are|was|were|can|could|must|should|will|would|may) ([^.,;:()]{4,60}?),? because (?!of (?:this|that|it|them)\\b)\\S`,
      'u',
    ),
    subjectOf,
    (subject, [verb = '', rest = '']) =>
      simple(rest, 7) &&
      !POINTING.test(rest) &&
      !/\b(?:only|merely|partly|mainly|simply|so|more|less)$/u.test(rest)
        ? `Why ${verb} ${subject} ${rest}?`
        : null,
  ),
  {
    name: 'how-to',
    make(sentence) {
      const match = /^To (\p{Ll}+)((?: [\p{L}\p{N}'’-]+){1,8}), \p{L}/u.exec(sentence);
      const [, verb = '', object = ''] = match ?? [];
      return TASKS.has(verb) && !POINTING.test(object) ? `How do you ${verb}${object}?` : null;
    },
  },
  template(
    'why-due',
    new RegExp(
      `^${SUBJECT} (is|are|was|were) (\\p{Ll}+(?:ed|en|wn|ld|lt|nt|de)\\b[^.,;:()]{0,30}?) (?:because of|due to|in order to|as a result of|owing to) \\p{L}`,
      'u',
    ),
    definite,
    (subject, [verb = '', rest = '']) =>
      simple(rest, 5) &&
      !POINTING.test(rest) &&
      !/\b(?:and|or|mainly|largely|partly|primarily|mostly)$/u.test(rest)
        ? `Why ${verb} ${subject} ${rest}?`
        : null,
  ),
  template(
    'measure',
    new RegExp(
      `^${SUBJECT} (has|had) an? (?:total |estimated )?(population|area|length|height|width|depth|capacity|budget|enrollment|enrolment|endowment|diameter|density|weight|mass|volume|membership|circulation|revenue|turnover|staff|surface area|seating capacity) of (?:about |over |around |approximately |more than )?[€$£]?\\d`,
      'u',
    ),
    definite,
    (subject, [verb = '', measure = '']) =>
      `What ${verb === 'has' ? 'is' : 'was'} the ${measure} of ${subject}?`,
  ),
  template(
    'did-when-fronted',
    new RegExp(
      `^(?:In|On) (?=${DATE},)([^,]+(?:, \\d{4})?), ((?:\\p{Lu}|[Tt]he \\p{L})[\\p{L}\\p{N}'’.&-]*(?: [\\p{L}\\p{N}'’.&-]+){0,4}?) (?:${ACTED}) `,
      'u',
    ),
    (date) => date,
    (date, [name = '']) => {
      const subject = certain(name.replace(/^the /u, 'The '));
      return subject === null
        ? null
        : `What did ${subject} do ${/\d .*\d|\p{L} \d{1,2}(?:,|$)|^\d{1,2} /u.test(date) ? 'on' : 'in'} ${date}?`;
    },
  ),
  template(
    'did-when',
    new RegExp(
      `^${SUBJECT} (?:${ACTED}) (?:(?!\\b(?:which|that|who|and|but|when|after|before)\\b)[^.,;:()])*? in ((?:${MONTH} )?(?:1\\d{3}|20\\d{2}))[.,]`,
      'u',
    ),
    certain,
    (subject, [date = '']) => `What did ${subject} do in ${date}?`,
  ),
  template(
    'used-for',
    new RegExp(`^${SUBJECT}${ASIDE} (is|are|was|were) (?:\\p{Ll}+ly )?used (?:for|to) \\p{L}`, 'u'),
    subjectOf,
    (subject, [verb = '']) => `What ${verb} ${subject} used for?`,
  ),
  template(
    'meaning',
    new RegExp(`^${SUBJECT}${ASIDE} (refers to|stands for|denotes|means (?=["“'‘])) ?`, 'u'),
    subjectOf,
    (subject, [verb = '']) => `What does ${subject} ${MEANS.get(verb) ?? 'mean'}?`,
  ),
  template(
    'parts',
    new RegExp(
      `^${SUBJECT}${ASIDE} (consists of|includes|comprises|covers|requires) [^.]{8,}`,
      'u',
    ),
    subjectOf,
    (subject, [verb = '']) => `What does ${subject} ${verb.replace(/s(?= of|$)/u, '')}?`,
  ),
  template(
    'known-as',
    new RegExp(
      `^${SUBJECT} (is|are|was|were) (also known as|commonly called|also called|nicknamed) `,
      'u',
    ),
    subjectOf,
    (subject, [verb = '', known = '']) => `What ${verb} ${subject} ${known}?`,
  ),
  template(
    'how-many',
    new RegExp(
      `^${SUBJECT} (has|have|had|contains|employs|operates) (?:about |over |around |more than |nearly |at least |approximately )?(?:${NUMBER}) ((?:\\p{Ll}+ ){0,2}\\p{Ll}{2,}s)(?=[.,;]| (?:in|on|at|for|with|and|that|which|of|who|from|across|to)\\b)`,
      'u',
    ),
    subjectOf,
    (subject, [verb = '', things = '']) =>
      /^(?:types|kinds|parts|forms|sorts|sides)$/u.test(things)
        ? null
        : verb === 'had'
          ? `How many ${things} did ${subject} have?`
          : `How many ${things} ${verb === 'have' ? 'do' : 'does'} ${subject} ${HAS.get(verb) ?? 'have'}?`,
  ),
  {
    name: 'how-many-there',
    make(sentence) {
      const match = THERE_ARE.exec(sentence);
      const [, verb = '', things = '', at = '', place = ''] = match ?? [];
      const clear = match !== null && simple(place, 5) && subjectOf(place) !== null;
      return clear ? `How many ${things} ${verb} there ${at} ${place}?` : null;
    },
  },
  {
    name: 'superlative',
    make(sentence) {
      const match =
        /^The ((?:\p{Ll}{3,}est|most \p{Ll}+|highest|lowest) [^.,;:()]{4,60}?) (is|was|are|were) (?:\p{Lu}|an? |the )/u.exec(
          sentence,
        );
      const [, rest = '', verb = ''] = match ?? [];
      const clear =
        match !== null && countOf(rest) <= 8 && !POINTING.test(rest) && !ASIDES.test(rest);
      return clear ? `What ${verb} the ${rest}?` : null;
    },
  },
  {
    name: 'cause',
    make(sentence) {
      const match =
        /^(?!(?:It|This|That|These|Those|They|He|She|Which|Both)\b)[^.,;:()]{3,80}? (caused|led to|resulted in|triggered) ((?:the|an?) [\p{L}'’ -]{4,50}?)(?=[.,;]| (?:in|on|for|that|which|when|by|because|from|at|to)\b)/u.exec(
          sentence,
        );
      const [, verb = '', effect = ''] = match ?? [];
      const told =
        match !== null && subjectOf(effect.replace(/^\p{Ll}/u, (l) => l.toUpperCase())) !== null;
      return told && countOf(effect) >= 3 && effect.startsWith('the ')
        ? `What ${verb} ${effect}?`
        : null;
    },
  },
  {
    name: 'responsible',
    make(sentence) {
      const match =
        /^(?!(?:It|This|That|They|He|She|Who|Which)\b)(?:(?!\b(?:that|who|which|where|when|if)\b)[^.,;:()]){3,60} (?:is|are) responsible for ((?:the )?[^.,;:()]{4,60})[.,;]/u.exec(
          sentence,
        );
      const [, duty = ''] = match ?? [];
      return match !== null && simple(duty, 7) && !POINTING.test(duty)
        ? `Who is responsible for ${duty}?`
        : null;
    },
  },
  {
    name: 'who-is',
    make(sentence) {
      const match = IN_A_ROLE.exec(sentence);
      const [, name = ''] = match ?? [];
      return match === null ||
        /^(?:The|In|On|At|As|For|New|South|North|East|West|Saint|San|Los)\b|(?:Group|Company|Network|Television|Broadcasting|University|Committee|Department|Institute)$/u.test(
          name,
        )
        ? null
        : `Who is ${name}?`;
    },
  },
  template(
    'what',
    new RegExp(`^${SUBJECT}${ASIDE} (is|are) ((?:an?|the|one of) [^.]{12,})`, 'u'),
    subjectOf,
    (subject, [verb = '', rest = '']) => {
      const plain = PERSON.test(rest) || isBareName(subject) || POINTING.test(rest.slice(0, 30));
      const agrees = verb === 'are' || !/^(?:the )?\p{Ll}+s$/u.test(subject);
      return plain || !agrees ? null : `What ${verb} ${subject}?`;
    },
  ),
  ...ENGLISH_STATEMENTS,
];
