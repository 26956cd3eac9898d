import { type ScriptedServer, startScriptedServer } from './scripted-server.test-setup.ts';

/** A request to the feed server. */
export interface FeedRequest {
  path: string;
  userAgent: string | undefined;
}

export type FeedBehavior =
  | { kind: 'feed'; text: string }
  | { kind: 'status'; status: number }
  /** The connection ends in the middle of the response. */
  | { kind: 'cut' };

export type FeedServer = ScriptedServer<FeedRequest, FeedBehavior>;

/** One item of an RSS 2.0 feed. */
export interface FeedItem {
  title: string;
  link?: string;
  date?: string;
  author?: string;
  description?: string;
  content?: string;
}

const cdata = (name: string, text: string | undefined): string =>
  text === undefined ? '' : `<${name}><![CDATA[${text}]]></${name}>`;

/** An RSS 2.0 feed. */
export const rssFeed = (items: readonly FeedItem[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel><title>Stories</title><link>https://blog.example.org</link><description>Stories</description>
${items
  .map(({ title, link, date, author, description, content }) =>
    [
      '<item>',
      cdata('title', title),
      cdata('link', link),
      cdata('pubDate', date),
      cdata('dc:creator', author),
      cdata('description', description),
      cdata('content:encoded', content),
      '</item>',
    ].join(''),
  )
  .join('\n')}
</channel></rss>`;

/** A server that serves a feed, on a free port of this machine. */
export const startFeedServer = (): Promise<FeedServer> =>
  startScriptedServer<FeedRequest, FeedBehavior>({
    first: { kind: 'feed', text: rssFeed([]) },
    handle(incoming, response, record) {
      const { url: path = '/', headers } = incoming;
      const behavior = record({ path, userAgent: headers['user-agent'] });
      switch (behavior.kind) {
        case 'feed':
          response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(behavior.text);
          break;
        case 'status':
          response.writeHead(behavior.status).end();
          break;
        case 'cut':
          response.writeHead(200, { 'content-length': '1000' }).write('<?xml');
          response.destroy();
          break;
      }
    },
  });
