/**
 * English forms that a stemmer cannot map to their base: base, then forms. Forms that are common
 * words of their own (left, saw, lay, rose) are left out.
 */
const FORMS = `be am is are was were been being | become became | begin began begun | bite bitten | blow blew blown
| break broke broken | breed bred | bring brought | build built | buy bought | catch caught | choose
chose chosen | come came | deal dealt | draw drew drawn | drink drank drunk | drive drove driven |
eat ate eaten | fall fell fallen | feed fed | feel felt | fight fought | find found | flee fled |
fly flew flown | forbid forbade forbidden | forget forgot forgotten | forgive forgave forgiven |
freeze froze frozen | get got gotten | give gave given | go went gone | grow grew grown | hang hung
| have has had | hear heard | hide hid hidden | hold held | keep kept | know knew known | lead led |
lend lent | lose lost | make made | mean meant | meet met | overcome overcame | pay paid | ride rode
ridden | run ran | say said | see saw seen | seek sought | sell sold | send sent | shake shook
shaken | shoot shot | shrink shrank shrunk | sing sang sung | sink sank sunk | sow sowed sown | sew
sewed sewn | show showed shown | foresee foresaw foreseen | sleep slept | speak spoke spoken | spend
spent | stand stood | steal stole stolen | strike struck | swear swore sworn | sweep swept | swim
swam swum | take took taken | teach taught | tear tore torn | tell told | think thought | throw
threw thrown | undergo underwent undergone | understand understood | wake woke woken | wear wore
worn | win won | withdraw withdrew withdrawn | write wrote written | man men | woman women | child
children | foot feet | tooth teeth | mouse mice | person people | life lives | wife wives | half
halves | leaf leaves | analysis analyses | basis bases | crisis crises | thesis theses | hypothesis
hypotheses | phenomenon phenomena | criterion criteria | datum data | die died dying dies | lie lied
lying | high height | long length | deep depth | wide width | strong strength | old older oldest
elder eldest | large larger largest | big bigger biggest | good better best | bad worse worst |
small smaller smallest | great greater greatest`;

export const ENGLISH_BASES: ReadonlyMap<string, string> = new Map(
  FORMS.split('|').flatMap((line) => {
    const [base = '', ...forms] = line.trim().split(/\s+/u);
    return forms.map((form): [string, string] => [form, base]);
  }),
);
