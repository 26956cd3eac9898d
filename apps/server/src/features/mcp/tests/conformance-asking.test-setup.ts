import { randomBytes } from 'node:crypto';
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type InputRequests,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

/** Signs state that the client returns, so that it cannot be changed. */
export const states = createRequestStateCodec<{ step: number }>({ key: randomBytes(32) });

const text = (content: string) => ({ content: [{ type: 'text' as const, text: content }] });

const named = z.object({ name: z.string() });
const confirmed = z.object({ ok: z.boolean() });
const colored = z.object({ color: z.string() });

const askName = (message = 'What is your name?') =>
  inputRequired.elicit({ message, requestedSchema: named });
const askModel = (question: string, maxTokens: number) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: question } }],
    maxTokens,
  });

const ask = (inputRequests: InputRequests) => inputRequired({ inputRequests });
const askAt = async (step: number, inputRequests: InputRequests) =>
  inputRequired({ inputRequests, requestState: await states.mint({ step }) });

const responsesOf = ({ mcpReq }: ServerContext) => mcpReq.inputResponses;

function elicit(ctx: ServerContext) {
  const answer = acceptedContent(responsesOf(ctx), 'user_name', named);
  return answer ? text(`Hello, ${answer.name}!`) : ask({ user_name: askName() });
}

function sample(ctx: ServerContext) {
  const answer = inputResponse(responsesOf(ctx), 'capital_question');
  return answer.kind === 'sampling'
    ? text(JSON.stringify(answer.result.content))
    : ask({ capital_question: askModel('What is the capital of France?', 100) });
}

function listRoots(ctx: ServerContext) {
  const answer = inputResponse(responsesOf(ctx), 'client_roots');
  return answer.kind === 'roots'
    ? text(JSON.stringify(answer.roots))
    : ask({ client_roots: inputRequired.listRoots() });
}

async function withState(ctx: ServerContext) {
  const answer = acceptedContent(responsesOf(ctx), 'confirm', confirmed);
  const state = ctx.mcpReq.requestState<{ step: number }>();
  if (answer && state) return text('state-ok');
  const confirm = inputRequired.elicit({ message: 'Please confirm', requestedSchema: confirmed });
  return askAt(1, { confirm });
}

async function several(ctx: ServerContext) {
  const answers = responsesOf(ctx);
  const name = acceptedContent(answers, 'user_name', named);
  const greeting = inputResponse(answers, 'greeting');
  const roots = inputResponse(answers, 'client_roots');
  if (name && greeting.kind === 'sampling' && roots.kind === 'roots') {
    return text(`${JSON.stringify(greeting.result.content)} ${name.name}`);
  }
  return askAt(1, {
    user_name: askName(),
    greeting: askModel('Generate a greeting', 50),
    client_roots: inputRequired.listRoots(),
  });
}

async function rounds(ctx: ServerContext) {
  const answers = responsesOf(ctx);
  const step = ctx.mcpReq.requestState<{ step: number }>()?.step ?? 0;
  const color = acceptedContent(answers, 'step2', colored);
  if (step === 2 && color) return text(`Done, with ${color.color}.`);
  if (step >= 1 && acceptedContent(answers, 'step1', named)) {
    const message = 'Step 2: What is your favorite color?';
    return askAt(2, { step2: inputRequired.elicit({ message, requestedSchema: colored }) });
  }
  return askAt(1, { step1: askName('Step 1: What is your name?') });
}

/** Requests only what the client supports. */
function byCapability(ctx: ServerContext) {
  const envelope: Record<string, unknown> = ctx.mcpReq.envelope ?? {};
  const supported = (envelope[CLIENT_CAPABILITIES_META_KEY] ?? {}) as Record<string, unknown>;
  const requests: InputRequests = {
    ...(supported['sampling'] ? { question: askModel('What is the capital of France?', 100) } : {}),
    ...(supported['elicitation'] ? { user_name: askName() } : {}),
  };
  return Object.keys(requests).length > 0 ? ask(requests) : text('Nothing can be asked.');
}

const needsSampling = (ctx: ServerContext) => {
  const answer = inputResponse(responsesOf(ctx), 'question');
  return answer.kind === 'sampling'
    ? text('Sampled.')
    : ask({ question: askModel('What is the capital of France?', 100) });
};

const tools = {
  test_input_required_result_elicitation: elicit,
  test_input_required_result_sampling: sample,
  test_input_required_result_list_roots: listRoots,
  test_input_required_result_request_state: withState,
  test_input_required_result_tampered_state: withState,
  test_input_required_result_multiple_inputs: several,
  test_input_required_result_multi_round: rounds,
  test_input_required_result_capabilities: byCapability,
  test_missing_capability: needsSampling,
  test_streaming_elicitation: elicit,
};

/** The tools and the prompt of the conformance suite that request something from the client. */
export function registerAskingTools(server: McpServer): void {
  for (const [name, run] of Object.entries(tools)) {
    server.registerTool(name, { description: `Asks first: ${name}.` }, run);
  }
  const contextual = z.object({ context: z.string() });
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks.' }, (ctx) => {
    const answer = acceptedContent(responsesOf(ctx), 'user_context', contextual);
    if (!answer) {
      const message = 'What context should the prompt use?';
      return ask({
        user_context: inputRequired.elicit({ message, requestedSchema: contextual }),
      });
    }
    const content = { type: 'text' as const, text: `In this context: ${answer.context}` };
    return { messages: [{ role: 'user' as const, content }] };
  });
}
