import type { DateReference } from './relative.ts';

/** Kinds of files that people have words for. */
export type FileKind =
  'pdf' | 'picture' | 'spreadsheet' | 'presentation' | 'recording' | 'video' | 'archive' | 'text';

/** A stretch of a question, as offsets. */
export interface Span {
  start: number;
  end: number;
}

/** What a question says of the uploading of files. */
export interface UploadClause {
  kinds: FileKind[];
  /** The time it names, if any. */
  when: DateReference | null;
  /** The files themselves are asked for, not what they say. */
  list: boolean;
  /** … the newest of them. */
  newest: boolean;
  /** Its words, which say nothing of what the files say. */
  spans: Span[];
}

const L = String.raw`(?<![\p{L}\p{N}])`;
const R = String.raw`(?![\p{L}\p{N}])`;
const words = (source: string): RegExp => new RegExp(`${L}(?:${source})${R}`, 'giu');

const KINDS: readonly [FileKind, RegExp][] = [
  ['pdf', words("pdf(?:s|['’]s)?(?: files?| documents?)?|pdf-datei(?:en)?|pdf-dokumente?")],
  [
    'picture',
    words(
      'pictures?|photos?|photographs?|images?|screenshots?|scans?|bild(?:er|ern)?|fotos?|images?|imágenes|imagen|фото(?:графии|графий)?|картинк[аи]|изображения|صور|صورة|jpe?gs?|pngs?',
    ),
  ],
  [
    'spreadsheet',
    words(
      'spreadsheets?|excel (?:files?|sheets?)|excels?|xlsx|csvs?|csv files?|tabellen?|excel-datei(?:en)?|tableurs?|hojas de cálculo|таблиц[аыу]?|جداول|جدول',
    ),
  ],
  [
    'presentation',
    words(
      'presentations?|slide ?decks?|slides|powerpoints?|powerpoint files?|präsentation(?:en)?|folien|présentations?|presentaci(?:ón|ones)|презентаци[яию]|презентаций|عروض|عرض تقديمي',
    ),
  ],
  [
    'recording',
    words(
      'recordings?|audio(?: files?| recordings?)?|voice memos?|podcasts?|mp3s?|aufnahmen?|audiodatei(?:en)?|sprachnotizen|enregistrements?|grabaci(?:ón|ones)|запис[ьи]|записей|аудиозапис[ьи]|تسجيلات|تسجيل',
    ),
  ],
  ['video', words('videos?|video ?clips?|vidéos?|vídeos?|видео|فيديوهات|فيديو')],
  ['archive', words('zips?|zip files?|zip-datei(?:en)?|archivos zip')],
  ['text', words('text files?|textdatei(?:en)?')],
];
const JOINED_KINDS: readonly [FileKind, RegExp][] = [
  ['pdf', /pdf(?:ファイル)?/giu],
  ['picture', /写真|画像|图片|照片/gu],
  ['spreadsheet', /スプレッドシート|表計算|エクセル|表格/gu],
  ['presentation', /プレゼンテーション|プレゼン|スライド|演示文稿/gu],
  ['recording', /録音|音声|录音|音频/gu],
  ['video', /動画|ビデオ|视频/gu],
];

/** Any file at all. */
const FILES = words(
  'files?|documents?|docs?|uploads|datei(?:en)?|dokumente?n?|unterlagen|fichiers?|documents?|archivos?|ficheros?|documentos?|файл(?:ы|ов|а|е)?|документ(?:ы|ов|а)?|الملفات|ملفات|ملف|الملف|المستندات|مستندات',
);
const JOINED_FILES = /ファイル|文書|書類|ドキュメント|文件|文档/gu;

/** Words for uploading that mean hardly anything else, and such as also mean to add something to something. */
const UPLOADED = words(
  "(?:that |which )?(?:(?:i|we)(?:['’]ve| have| had)?(?: just| recently)? uploaded|did (?:i|we)(?: just| recently)? upload|have (?:i|we)(?: just| recently)? uploaded|(?:were|was|been|got|has been|have been) uploaded(?! (?:on)?to | by (?!me|us)))|hochgeladen(?:e[nrs]?)?(?: (?:habe|haben|hatte|wurden?))?|(?:ai-je|avons-nous|j['’]ai|nous avons) (?:téléversé|téléchargé|importé|déposé)e?s?|(?:he |hemos )?subid[oa]s?|subí|subimos|загрузил[аи]?|загруженн(?:ые|ых|ый)|залил[аи]?|رفعتها|رفعته|رفعت|رفعنا|حملتها|حمّلت|حملت",
);
const JOINED_UPLOADED = /アップロード(?:しました|した)?|アップした|上传(?:了|的)?/gu;
const ADDED = words(
  "(?:that |which )?(?:(?:i|we)(?:['’]ve| have| had)?(?: just| recently)? (?:added|imported|saved|stored|put in)|did (?:i|we)(?: just| recently)? (?:add|import|save|store|put in)|have (?:i|we)(?: just| recently)? (?:added|imported|saved|stored)|(?:were|was|been|has been|have been) (?:added|imported|saved))(?! to (?!(?:my |our |the )?(?:library|engram)(?!\\p{L})))|hinzugefügt(?:e[nrs]?)?(?: (?:habe|haben|hatte|wurden?))?|(?:ai-je|avons-nous|j['’]ai|nous avons) (?:ajouté|enregistré|mis)e?s?|ajoutée?s?|añad(?:í|ido)s?|agreg(?:ué|ado)s?|guardé|добавил[аи]?|добавленн(?:ые|ых)|сохранил[аи]?|أضفتها|أضفته|أضفت",
);
/** 'the PDF added on Monday': directly behind its noun. */
const PARTICIPLE = words('(?:uploaded|added|imported|saved)(?! to )');
const JOINED_ADDED = /追加(?:しました|した)?|保存した|登録した|添加(?:了|的)?/gu;

/** What a question for files may hold beside these: nothing that a file could be asked about. */
const FILLERS = words(
  "what(?:['’]s)?|which|everything|anything|something|alles|etwas|irgendetwas|sind|waren|tout|todo|algo|всё|show|list|give|display|find|see|name|tell|me|us|my|our|all|the|of|any|every|have|has|had|do|does|did|are|is|were|was|there|been|i|we|you|can|could|please|how|many|much|number|a|an|in|on|at|from|during|since|within|that|this|these|those|and|to|new|so|far|here|total|altogether|library|engram|for|just|it|was|welche[nrs]?|was|zeige?|mir|uns|liste|auf|meine?[nrs]?|unsere?|alle[nrs]?|die|der|das|den|dem|wie|viele?|habe|haben|hab|ich|wir|gibt|es|von|vom|am|im|in|seit|letzte[nrsm]?|bitte|an|aus|wurden?|hatte|nenne|quels?|quelles?|qu['’]?|que|est-ce|montre(?:-moi)?|montrez(?:-moi)?|affiche|liste[rz]?|mes|nos|mon|ma|tous|toutes|les?|la|l['’]?|des?|du|d['’]?|ai-je|j['’]?ai|ont|été|combien|ai|ce|cette|en|le|y|a-t-il|qué|cuáles|cuántos|cuántas|muéstra(?:me|nos)?|muestra|lista|enséñame|mis|nuestros|los|las|el|de|del|todos|todas|tengo|tenemos|hay|he|hemos|se|son|что|какие|какой|сколько|покажи(?:те)?|мне|мои|моих|все|всех|я|мы|у|меня|нас|есть|в|во|на|за|с|из|от|эт[аио]|ما|ماذا|أي|كم|هي|التي|الذي|أرني|اعرض|لي|كل|جميع|لدي|عندي|من|في|منذ|عدد|ها|ملفاتي",
);
const JOINED_FILLERS =
  /[のはをがにでとやもか、。？！]|見せて(?:ください)?|教えて(?:ください)?|表示(?:して)?(?:ください)?|一覧|リスト|何[個枚件本]?|どれ|どの|すべて|全部|私|僕|いくつ|あります|ありますか|ください|しました|した|ました|我|的|了|什么|哪些|哪|所有|多少|几个|个|有|显示|列出|给|看|在|是/gu;

/** What asks for a list where nothing is said of uploading: 'What was the presentation?' does not. */
const LIST_CUE =
  /(?<![\p{L}\p{N}])(?:list|show|give|display|find|my|our|all|any|every|have|how many|number of|there|(?:what|which) (?:files?|documents?|docs?|pdfs?|pictures?|photos?|images?|scans?|videos?|recordings?|presentations?|spreadsheets?)|meine?|unsere?|alle|zeige?|liste|hab(?:e|en)?|gibt|welche[nrs]?|wie viele?|mes|nos|tous|toutes|montre|affiche|ai|combien|quel(?:le)?s|mis|tod[oa]s|tengo|hay|muéstra(?:me|nos)?|lista|cuánt[oa]s|qué|мои|моих|все|всех|покажи(?:те)?|есть|какие|сколько|لدي|عندي|كل|كم|جميع|أرني|اعرض)(?![\p{L}\p{N}])|見せて|教えて|一覧|リスト|すべて|全部|何|どの|いくつ|あります|所有|哪些|什么|多少|列出/iu;
/**
 * What asks for the contents of a file or for an amount: 'What does the picture show?', 'Which file is
 * it in?', 'What images are in the presentation?', 'How much did I save?'
 */
const NO_LIST =
  /(?<!\p{L})(?:how much|(?:do|does|did) (?:the|this|that|these|those)|(?:is|was|are|were) (?:it|that|this)|in (?:the|this|that|these|those) (?!(?:last|past|library)(?!\p{L}))\p{L}+)(?!\p{L})/iu;
/** A phrase rather than a question: 'files from yesterday'. */
const QUESTION =
  /(?<!\p{L})(?:what|who|when|where|why|how|is|are|was|were|did|does|ist|wer|wann|wo|warum|wie|qui|quand|où|comment|est|quién|cuándo|dónde|cómo|es|что|кто|когда|где|как)(?!\p{L})|[?؟？]/iu;

const NEWEST = words(
  'newest|latest|last|most recent|recent(?:ly)?|neueste[nrs]?|letzte[nrs]?|zuletzt|derniers?|dernières?|récents?|récemment|últim[oa]s|recientes|recientemente|последни[ехй]|недавно|أحدث|آخر',
);
const JOINED_NEWEST = /最新|最近/gu;

const spansOf = (text: string, patterns: readonly RegExp[]): Span[] =>
  patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ 0: { length }, index }) => ({
      start: index,
      end: index + length,
    })),
  );

/** Letters between the kind of file and the word for uploading it: 'the PDF that I uploaded'. */
const NEAR = 60;

/** Whether a question may be about uploads or lists of files at all; told at little cost. */
const HINT =
  /upload|(?<!\p{L})add(?:ed)?(?!\p{L})|import|saved?|stored|files?|documents?|docs?|pdf|photo|picture|image|scan|sheet|excel|csv|present|slide|deck|record|audio|memo|podcast|video|zip|hochgel|hinzugef|datei|dokument|unterlag|bild|foto|tabelle|präsent|folien|aufnahm|sprachn|téléver|télécharg|ajout|fichier|enregistr|tableur|subí|subid|subim|añad|agreg|archivo|fichero|imágen|imagen|grabaci|hoja|загруз|залил|добав|файл|документ|фото|картин|таблиц|презент|запис|видео|رفع|أضف|حمل|ملف|صور|عرض|تسجيل|جدول|アップ|追加|ファイル|文書|書類|写真|画像|録音|動画|スライド|プレゼン|上传|添加|文件|文档|图片|照片|视频|録|表格|エクセル/iu;

/** What a question says of uploads; null when it says nothing. `dates` is what it says of time. */
export function readUploads(text: string, dates: readonly DateReference[]): UploadClause | null {
  if (!HINT.test(text)) return null;
  const kindSpans = [...KINDS, ...JOINED_KINDS].flatMap(([kind, pattern]) =>
    spansOf(text, [pattern]).map((span) => ({ ...span, kind })),
  );
  const fileSpans = spansOf(text, [FILES, JOINED_FILES]);
  const sure = spansOf(text, [UPLOADED, JOINED_UPLOADED]);
  const nouns = [...kindSpans, ...fileSpans];
  const participles = spansOf(text, [PARTICIPLE]).filter((span) =>
    nouns.some((noun) => span.start - noun.end === 1),
  );
  const unsure = [...spansOf(text, [ADDED, JOINED_ADDED]), ...participles];
  const kinds = [...new Set(kindSpans.map(({ kind }) => kind))];
  const newest = spansOf(text, [NEWEST, JOINED_NEWEST]);
  const verbs = sure.length > 0 ? sure : unsure;
  const [first = null] = dates;
  const all = [...nouns, ...sure, ...unsure, ...dates, ...newest];
  const anything = nouns.length > 0 || verbs.length > 0;
  if (anything && !NO_LIST.test(text) && isOnlyFillers(blank(text, all))) {
    const when = first;
    const asked =
      LIST_CUE.test(text) || newest.length > 0 || (first !== null && !QUESTION.test(text));
    const wantsNewest = newest.length > 0 && when === null;
    return verbs.length > 0 || asked
      ? { kinds, when, list: true, newest: wantsNewest, spans: all }
      : null;
  }
  const verb = verbs.find(
    (span) => sure.length > 0 || nouns.some((noun) => distance(noun, span) <= NEAR),
  );
  if (verb === undefined) return null;
  const when = nearest(dates, verb);
  const near = nouns.filter((noun) => distance(noun, verb) <= NEAR);
  // 'The log of what we uploaded to the server' names neither a file nor a time.
  if (when === null && near.length === 0) return null;
  if (near.length === 0 && sure.length === 0) return null;
  const spans = [verb, ...near, ...(when === null ? [] : [when])];
  const named = kindSpans.filter((noun) => distance(noun, verb) <= NEAR / 2);
  const own = [...new Set(named.map(({ kind }) => kind))];
  return { kinds: own, when, list: false, newest: false, spans };
}

function distance(a: Span, b: Span): number {
  return Math.max(0, Math.max(a.start, b.start) - Math.min(a.end, b.end));
}

function nearest(dates: readonly DateReference[], verb: Span): DateReference | null {
  let best: DateReference | null = null;
  for (const date of dates) {
    if (distance(date, verb) > NEAR / 2) continue;
    if (best === null || distance(date, verb) < distance(best, verb)) best = date;
  }
  return best;
}

/** The text with spaces for some of its stretches. */
function blank(text: string, spans: readonly Span[]): string {
  let result = text;
  for (const { start, end } of spans) {
    result = result.slice(0, start) + ' '.repeat(end - start) + result.slice(end);
  }
  return result;
}

function isOnlyFillers(rest: string): boolean {
  const left = rest.replace(FILLERS, ' ').replace(JOINED_FILLERS, ' ');
  return !/[\p{L}\p{N}]/u.test(left);
}
