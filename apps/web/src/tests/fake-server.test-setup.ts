import { routes, type DataIn, type RouteDefinition } from '@engram/contract';
import { vi } from 'vitest';

/** A call that the server receives. */
export interface FakeCall {
  params: Record<string, string>;
  query: URLSearchParams;
  /** The JSON body, or undefined. */
  body: unknown;
  /** The form of an upload. */
  form: FormData;
  token: string | null;
}

export class Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers: Record<string, string>;
  readonly code: string;

  constructor(
    status: number,
    message: string,
    headers: Record<string, string> = {},
    code = 'refused',
  ) {
    this.status = status;
    this.message = message;
    this.headers = headers;
    this.code = code;
  }
}

/** Fields of a response besides its data. */
interface ExtraFields {
  total?: number;
  nextCursor?: string | null;
  message?: string;
}

type Answer = (call: FakeCall) => Promise<Response>;

/** The data of a route's response, or its text. */
type ResponseOf<R extends RouteDefinition> = R['kind'] extends 'text' ? string : DataIn<R>;

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });

function matchPath(route: RouteDefinition, path: string): Record<string, string> | null {
  const names: string[] = [];
  const pattern = route.path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => {
    names.push(name);
    return '([^/]+)';
  });
  const match = new RegExp(`^/v1${pattern}$`, 'u').exec(path);
  if (!match) return null;
  return Object.fromEntries(
    names.map((name, index) => [name, decodeURIComponent(match[index + 1] ?? '')]),
  );
}

/**
 * Replaces the browser's network. A response that does not match the contract fails the test, and a
 * call without a handler is refused with 404.
 */
export class FakeServer {
  readonly calls: { id: string; call: FakeCall }[] = [];
  readonly #answers = new Map<string, Answer>();

  /** Sets the handler of a route. */
  on<R extends RouteDefinition>(
    route: R,
    answer: (call: FakeCall) => ResponseOf<R> | Refusal | Promise<ResponseOf<R> | Refusal>,
    extraFields?: (call: FakeCall) => ExtraFields,
  ): this {
    this.#answers.set(route.id, async (call) => {
      const data = await answer(call);
      if (data instanceof Refusal) {
        return json(data.status, { message: data.message, code: data.code }, data.headers);
      }
      if (route.kind === 'text') return new Response(String(data));
      route.data?.parse(data);
      return json(200, { message: route.message ?? 'OK', data, ...extraFields?.(call) });
    });
    return this;
  }

  callsOf(route: RouteDefinition): FakeCall[] {
    return this.calls.filter(({ id }) => id === route.id).map(({ call }) => call);
  }

  async handle(method: string, url: string, headers: Headers, body: unknown): Promise<Response> {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    for (const route of routes) {
      const params = route.method === method ? matchPath(route, pathname) : null;
      if (!params) continue;
      const call: FakeCall = {
        params,
        query: searchParams,
        body: typeof body === 'string' ? (JSON.parse(body) as unknown) : undefined,
        form: body instanceof FormData ? body : new FormData(),
        token: headers.get('authorization')?.replace('Bearer ', '') ?? null,
      };
      this.calls.push({ id: route.id, call });
      const answer = this.#answers.get(route.id);
      if (answer) return answer(call);
    }
    return json(404, {
      message: `There is no handler for ${method} ${pathname}.`,
      code: 'not_found',
    });
  }
}

/** The part of XMLHttpRequest that uploads use, handled by a fake server. */
export const fakeXhr = (server: Pick<FakeServer, 'handle'>): unknown =>
  class {
    readonly upload = new EventTarget();
    status = 0;
    responseText = '';
    readonly #events = new EventTarget();
    readonly #sent = new Headers();
    #received = new Headers();
    #target = ['GET', '/'] as const as readonly [string, string];
    #aborted = false;

    open(method: string, url: string): void {
      this.#target = [method, url];
    }

    setRequestHeader(name: string, value: string): void {
      this.#sent.set(name, value);
    }

    getResponseHeader(name: string): string | null {
      return this.#received.get(name);
    }

    addEventListener(type: string, listener: EventListener): void {
      this.#events.addEventListener(type, listener);
    }

    abort(): void {
      this.#aborted = true;
      this.#events.dispatchEvent(new Event('abort'));
    }

    async send(body: FormData): Promise<void> {
      const progress = { lengthComputable: true, loaded: 1, total: 2 };
      this.upload.dispatchEvent(Object.assign(new Event('progress'), progress));
      const response = await server.handle(...this.#target, this.#sent, body);
      this.status = response.status;
      this.#received = response.headers;
      this.responseText = await response.text();
      if (!this.#aborted) this.#events.dispatchEvent(new Event('load'));
    }
  };

/** Replaces the network by a fake server until the test ends. */
export function startFakeServer(): FakeServer {
  const server = new FakeServer();
  vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) =>
    server.handle(init.method ?? 'GET', url, new Headers(init.headers), init.body),
  );
  vi.stubGlobal('XMLHttpRequest', fakeXhr(server));
  return server;
}
