import { expect, test } from 'vitest';
import { buildOpenApi } from '../openapi.ts';
import { uploadProfileImage } from '../profile.ts';

test('a call with one file is described with the form part of the file', () => {
  expect(buildOpenApi([uploadProfileImage], '1.0.0')).toMatchObject({
    paths: {
      '/user/profile/image': {
        post: {
          requestBody: {
            required: true,
            content: {
              'multipart/form-data': {
                schema: {
                  type: 'object',
                  required: ['file'],
                  properties: { file: { type: 'string', format: 'binary' } },
                },
              },
            },
          },
          responses: {
            200: { content: { 'text/plain': {} } },
            413: { description: 'The picture has more than 2 MB.' },
            415: { description: 'The picture is not a JPG or PNG.' },
          },
        },
      },
    },
  });
});
