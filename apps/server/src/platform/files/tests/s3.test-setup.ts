import { randomUUID } from 'node:crypto';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';

/** An S3 server for tests, as `http://key:secret@host:port`. The S3 suites run if it is set. */
export const testS3Url = process.env['ENGRAM_TEST_S3_URL'];

/** Creates an empty bucket on the test server, and sets the variables that name the server. */
export async function createTestBucket(): Promise<{
  bucket: string;
  endpoint: string;
  client: S3Client;
}> {
  const { username, password, origin: endpoint } = new URL(testS3Url ?? '');
  Object.assign(process.env, {
    AWS_ACCESS_KEY_ID: username,
    AWS_SECRET_ACCESS_KEY: password,
    AWS_REGION: 'us-east-1',
  });
  const client = new S3Client({ endpoint, forcePathStyle: true });
  const bucket = `engram-${randomUUID()}`;
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  return { bucket, endpoint, client };
}
