export * from './client.ts';
export { APIError as ApiError } from './errors.ts';
export * from './oauth.ts';
export { type MadeRequest, streamForm } from './multipart.ts';
