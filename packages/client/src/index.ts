export * from './client.ts';
export { APIError as ApiError } from './errors.ts';
export * from './oauth.ts';
export { streamForm } from './multipart.ts';
