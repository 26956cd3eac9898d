import { Agent, request } from 'node:http';
import { once } from 'node:events';
import { parentPort, Worker, workerData } from 'node:worker_threads';

export interface Question {
  text: string;
  keywords?: string[];
  /** Whether to request a streamed answer with an explanation. */
  streamed?: boolean;
}

/** A response, and its times in milliseconds from the first byte sent. */
interface MeasuredAnswer {
  status: number;
  ms: number;
  firstEventMs: number;
  body: string;
}

interface Target {
  url: string;
  token: string;
}

const agent = new Agent({ keepAlive: true });

function ask({ url, token }: Target, question: Question): Promise<MeasuredAnswer> {
  const { streamed = false, ...body } = question;
  const { promise, resolve, reject } = Promise.withResolvers<MeasuredAnswer>();
  const begin = performance.now();
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: streamed ? 'text/event-stream' : 'application/json',
  };
  const call = request(`${url}/search`, { method: 'POST', agent, headers }, (response) => {
    let firstEventMs = 0;
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (part: string) => {
      firstEventMs ||= performance.now() - begin;
      text += part;
    });
    response.on('end', () => {
      resolve({
        status: response.statusCode ?? 0,
        ms: performance.now() - begin,
        firstEventMs,
        body: text,
      });
    });
    response.on('error', reject);
  });
  call.on('error', reject);
  call.end(JSON.stringify({ ...body, audio: false, explain: streamed }));
  return promise;
}

/** Asks questions in sequence in a worker thread, so that the client's work is not measured. */
export function startAsker(target: Target) {
  const worker = new Worker(import.meta.filename, { workerData: target });
  return {
    async ask(question: Question): Promise<MeasuredAnswer> {
      worker.postMessage(question, []);
      const [answer] = (await once(worker, 'message')) as [MeasuredAnswer];
      if (answer.status !== 200) throw new Error(`The question failed: ${answer.body}`);
      return answer;
    },
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  };
}

export type Asker = ReturnType<typeof startAsker>;

parentPort?.on('message', (question: Question) => {
  void ask(workerData as Target, question).then((answer) => parentPort?.postMessage(answer, []));
});
