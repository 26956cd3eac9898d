import { z } from 'zod';

export interface Setting<S extends z.ZodType = z.ZodType> {
  env: string;
  /** Description with its unit, for docs/configuration.md. */
  doc: string;
  schema: S;
}

export type Values<Settings extends Record<string, Setting>> = {
  [K in keyof Settings]: z.output<Settings[K]['schema']>;
};

export const setting = <S extends z.ZodType>(env: string, schema: S, doc: string): Setting<S> => ({
  env,
  doc,
  schema,
});

export const matching = (pattern: RegExp, error: string) => z.string().regex(pattern, { error });
export const positive = (fallback: number) => z.coerce.number().positive().default(fallback);
export const whole = (fallback: number) => z.coerce.number().int().positive().default(fallback);
export const url = () =>
  z.url({ protocol: /^https?$/u, error: 'must be an http or https address' });
export const key = (...prefixes: readonly string[]) =>
  z
    .string()
    .refine((text) => prefixes.some((prefix) => text.startsWith(prefix)), {
      error: `must begin with ${prefixes.join(' or ')}`,
    })
    .optional();
const BUCKET = /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[\w.-]+)*\/?$/u;

export const place = () =>
  z
    .string()
    .refine((text) => !/^[\w+.-]{2,}:/u.test(text) || BUCKET.test(text), {
      error: 'must be a folder, or s3://bucket or s3://bucket/prefix',
    })
    .optional();
export const list = () =>
  z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    );
