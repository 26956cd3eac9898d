/** The parts of WebAssembly that are used. Node's declarations do not have them. */
declare namespace WebAssembly {
  type Module = object;
  type Instance = object;
  type Imports = Record<string, Record<string, unknown>>;
  function compile(bytes: Uint8Array): Promise<Module>;
  function instantiate(module: Module, imports: Imports): Promise<Instance>;
}

/** The parts of espeak-ng that are used. The package has no declarations. */
declare module 'espeak-ng' {
  export interface EspeakModule {
    FS: {
      writeFile(path: string, text: string): void;
      /** @throws Error if the file does not exist */
      readFile(path: string): Uint8Array;
    };
  }

  export default function runEspeak(options: {
    arguments: string[];
    preRun: ((module: EspeakModule) => void)[];
    instantiateWasm: (
      imports: WebAssembly.Imports,
      ready: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ) => object;
    print: (line: string) => void;
    printErr: (line: string) => void;
  }): Promise<EspeakModule>;
}
