export * from './client.ts';
export { APIError as ApiError } from './errors.ts';
