import { z } from 'zod';
import { defineRoute } from './route.ts';
import { count, id, timestamp } from './values.ts';

/** The access of a read-only API key, and that of other API keys. */
const accessScope = z.enum(['files:read', 'files:write']);
export type AccessScope = z.output<typeof accessScope>;

/** A web site, a program on the user's machine, or a device that shows a code. */
const connectionKind = z.enum(['site', 'local', 'device']);
export type ConnectionKind = z.output<typeof connectionKind>;

const program = z.object({
  /** The name that the program gives itself. */
  name: z.string(),
  /** The host of the program, or the scheme of its addresses; null without one. */
  address: z.string().nullable(),
  /** Whether the program was verified to belong to that address. */
  verified: z.boolean(),
  kind: connectionKind,
  scopes: z.array(accessScope),
});

export const connection = program.extend({
  id,
  connectedAt: timestamp,
  /** When it made its last call, to the minute; null if never. */
  lastUsedAt: timestamp.nullable(),
});
export type Connection = z.output<typeof connection>;

const connectionRequest = program.extend({
  /** Whether it can only use the MCP tools, which delete nothing. */
  toolsOnly: z.boolean(),
});

/** A request for access that the user has not answered. */
export type ConnectionRequest = z.output<typeof connectionRequest>;

/** The granted scopes; by default all that were requested. */
const granted = { scopes: z.array(accessScope).min(1).max(10).optional() };
const nothingGranted = { 400: 'The program asked for none of the chosen scopes.' } as const;

export const listConnections = defineRoute('GET /connections', {
  summary: 'Apps and devices that the caller has authorized, newest first',
  data: z.array(connection),
});

export const endConnection = defineRoute('DELETE /connections/{id}', {
  summary: 'End a connection. All its tokens stop working immediately.',
  params: z.object({ id }),
  data: z.null(),
  message: 'Connection ended.',
  errors: { 404: 'No such connection.' },
});

export const endConnections = defineRoute('DELETE /connections', {
  summary: 'End all connections',
  data: z.object({
    ended: count,
  }),
  message: 'Connections ended.',
});

/** A request of this browser. */
const request = z.object({ uid: z.string().regex(/^[\w-]{20,64}$/u) });

const requestEnded = { 404: 'The request has ended, or another browser started it.' } as const;

/** The authorization server redirects here, since its cookie is limited to this path. */
export const openConnectionRequest = defineRoute('GET /connect/{uid}', {
  summary: 'Redirect the browser to the page where the user answers the request of a program',
  auth: 'public',
  kind: 'text',
  params: request,
});

export const getConnectionRequest = defineRoute('GET /connect/{uid}/request', {
  summary: 'Get the app or device that requests access, and what it may do',
  params: request,
  data: connectionRequest,
  errors: requestEnded,
});

const redirection = z.object({
  /** The address where the browser continues, which leads back to the program. */
  returnTo: z.string(),
});

export const allowConnection = defineRoute('POST /connect/{uid}/allow', {
  fresh: true,
  summary: 'Authorize a program that requests access, with all or some of the requested scopes',
  params: request,
  body: z.object(granted),
  data: redirection,
  errors: { ...requestEnded, ...nothingGranted },
});

export const denyConnection = defineRoute('POST /connect/{uid}/deny', {
  summary: 'Refuse access to a program that requests it',
  params: request,
  data: redirection,
  errors: requestEnded,
});

/** The code on the device, with or without a dash, in upper or lower case. */
const device = z.object({ userCode: z.string().trim().min(1).max(40) });

const unknownCode = { 404: 'No such code, or it has expired after ten minutes.' } as const;

export const getDeviceRequest = defineRoute('POST /connect/device/request', {
  summary: 'Get the device that shows a code, and the access that it requests',
  body: device,
  data: connectionRequest,
  errors: unknownCode,
});

export const allowDevice = defineRoute('POST /connect/device/allow', {
  fresh: true,
  summary: 'Authorize the device that shows a code, with all or some of the requested scopes',
  body: device.extend(granted),
  data: z.null(),
  errors: { ...unknownCode, ...nothingGranted },
});

export const denyDevice = defineRoute('POST /connect/device/deny', {
  summary: 'Refuse access to the device that shows a code',
  body: device,
  data: z.null(),
  errors: unknownCode,
});
