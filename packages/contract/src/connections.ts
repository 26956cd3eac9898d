import { z } from 'zod';
import { defineRoute, userCall } from './route.ts';
import { count, id, timestamp } from './values.ts';

/** What a program may be let in to do: what an API key opens that only reads, or any API key. */
export const accessScope = z.enum(['files:read', 'files:write']);
export type AccessScope = z.output<typeof accessScope>;

/** Where a program runs: on a site, on the person's own machine, or on a device that shows a code. */
export const connectionKind = z.enum(['site', 'local', 'device']);
export type ConnectionKind = z.output<typeof connectionKind>;

const program = z.object({
  /** What the program calls itself. */
  name: z.string(),
  /** The host that the program is at home at, or the scheme of its addresses; null where it has none. */
  address: z.string().nullable(),
  /** Whether the program is known to belong to that address; others only say so of themselves. */
  verified: z.boolean(),
  kind: connectionKind,
  scopes: z.array(accessScope),
});

export const connection = program.extend({
  id,
  connectedAt: timestamp,
  /** When it last made a call, to the minute; null while it has not. */
  lastUsedAt: timestamp.nullable(),
});
export type Connection = z.output<typeof connection>;

const connectionRequest = program.extend({
  /** Whether the program can only use the tools for assistants, which delete nothing. */
  toolsOnly: z.boolean(),
});

/** What a program asks for that waits for a person's answer. */
export type ConnectionRequest = z.output<typeof connectionRequest>;

/** The scopes that are granted of those asked for; all of them if it is missing. */
const granted = { scopes: z.array(accessScope).min(1).max(10).optional() };
const nothingGranted = { 400: 'The program asked for none of the chosen scopes.' } as const;

export const listConnections = defineRoute('GET /connections', {
  ...userCall,
  id: 'connections.listConnections',
  summary: 'Programs and devices that the caller has let in, newest first',
  data: z.array(connection),
});

export const endConnection = defineRoute('DELETE /connections/{id}', {
  ...userCall,
  id: 'connections.endConnection',
  summary: 'End a connection: all tokens of the program stop working at once',
  params: z.object({ id }),
  data: z.null(),
  message: 'Connection ended.',
  errors: { 404: 'No such connection.' },
});

export const endConnections = defineRoute('DELETE /connections', {
  ...userCall,
  id: 'connections.endConnections',
  summary: 'End all connections',
  data: z.object({
    /** How many were ended. */
    ended: count,
  }),
  message: 'Connections ended.',
});

/** Names a request that this very browser began. */
const request = z.object({ uid: z.string().regex(/^[\w-]{20,64}$/u) });

const gone = { 404: 'The request is over, or another browser began it.' } as const;

/** Where the authorization server sends a browser: its cookie goes to this address and below alone. */
export const openConnectionRequest = defineRoute('GET /connect/{uid}', {
  id: 'connections.openConnectionRequest',
  summary: 'Lead the browser to the page on which a person answers a program',
  auth: 'public',
  kind: 'text',
  params: request,
});

export const getConnectionRequest = defineRoute('GET /connect/{uid}/request', {
  ...userCall,
  id: 'connections.getConnectionRequest',
  summary: 'Who asks to be let in, and to do what',
  params: request,
  data: connectionRequest,
  errors: gone,
});

const wayBack = z.object({
  /** Where the browser goes on to, and from there back to the program. */
  returnTo: z.string(),
});

export const allowConnection = defineRoute('POST /connect/{uid}/allow', {
  ...userCall,
  fresh: true,
  id: 'connections.allowConnection',
  summary: 'Let a program in that asks to be, with all scopes that it asks for or some of them',
  params: request,
  body: z.object(granted),
  data: wayBack,
  errors: { ...gone, ...nothingGranted },
});

export const denyConnection = defineRoute('POST /connect/{uid}/deny', {
  ...userCall,
  id: 'connections.denyConnection',
  summary: 'Do not let a program in that asks to be',
  params: request,
  data: wayBack,
  errors: gone,
});

/** The code that a device shows, with a dash or without, in capitals or not. */
const device = z.object({ userCode: z.string().trim().min(1).max(40) });

const unknown = { 404: 'No such code, or its ten minutes are over.' } as const;

export const getDeviceRequest = defineRoute('POST /connect/device/request', {
  ...userCall,
  id: 'connections.getDeviceRequest',
  summary: 'Which device shows a code, and what it asks to do',
  body: device,
  data: connectionRequest,
  errors: unknown,
});

export const allowDevice = defineRoute('POST /connect/device/allow', {
  ...userCall,
  fresh: true,
  id: 'connections.allowDevice',
  summary: 'Let the device in that shows a code, with all scopes that it asks for or some of them',
  body: device.extend(granted),
  data: z.null(),
  errors: { ...unknown, ...nothingGranted },
});

export const denyDevice = defineRoute('POST /connect/device/deny', {
  ...userCall,
  id: 'connections.denyDevice',
  summary: 'Do not let the device in that shows a code',
  body: device,
  data: z.null(),
  errors: unknown,
});
