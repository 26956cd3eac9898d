import path from 'node:path';
import { build, type Plugin } from 'vite';

const root = path.resolve(import.meta.dirname, '..');

/** Bundles a program for Node with all its imports into one file. Returns the path of the file. */
export async function bundleIntoOneFile(options: {
  entry: string;
  outDir: string;
  fileName: string;
  /** The oldest platform, such as node24. */
  target: string;
  minify?: boolean;
  plugins?: Plugin[];
  alias?: Record<string, string>;
  /** Whether unused imports are included for their side effects. */
  moduleSideEffects?: boolean;
}): Promise<string> {
  const { entry, outDir, fileName, target, minify = true, plugins = [], alias = {} } = options;
  const { moduleSideEffects = true } = options;
  await build({
    configFile: false,
    logLevel: 'warn',
    root,
    plugins,
    resolve: { alias },
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: entry,
      outDir,
      emptyOutDir: false,
      target,
      minify,
      rolldownOptions: {
        output: { entryFileNames: fileName, codeSplitting: false },
        treeshake: { moduleSideEffects },
      },
    },
  });
  return path.join(outDir, fileName);
}
