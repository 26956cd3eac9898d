export interface Prompts {
  query: string;
  passage: string;
}

const none: Prompts = { query: '', passage: '' };
const searching = 'Represent this sentence for searching relevant passages: ';

/** The prompts with which model families were trained, by their model cards. The first match counts. */
const FAMILIES: readonly [RegExp, Prompts][] = [
  [
    /e5-(?:(?!e5-).)*instruct/iu,
    {
      query:
        'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ',
      passage: '',
    },
  ],
  [/(?:^|[/_-])e5(?:[/_:.-]|$)/iu, { query: 'query: ', passage: 'passage: ' }],
  [/bge-(?:(?!bge-).)*-zh/iu, { query: '为这个句子生成表示以用于检索相关文章：', passage: '' }],
  [/bge-(?:micro|small|base|large)/iu, { query: searching, passage: '' }],
  [/arctic-embed(?:2|(?:(?!arctic-embed).)*v2)/iu, { query: 'query: ', passage: '' }],
  [/arctic-embed|mxbai-embed/iu, { query: searching, passage: '' }],
  [/nomic-embed/iu, { query: 'search_query: ', passage: 'search_document: ' }],
  [/embeddinggemma/iu, { query: 'task: search result | query: ', passage: 'title: none | text: ' }],
];

export function promptsOf(model: string): Prompts {
  return FAMILIES.find(([family]) => family.test(model))?.[1] ?? none;
}
