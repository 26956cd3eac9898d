/** As much of WebAssembly as is used; Node's declarations leave it to the browser's. */
declare namespace WebAssembly {
  type Module = object;
  type Instance = object;
  type Imports = Record<string, Record<string, unknown>>;
  function compile(bytes: Uint8Array): Promise<Module>;
  function instantiate(module: Module, imports: Imports): Promise<Instance>;
}

/** As much of espeak-ng as is used; the package brings no declarations. */
declare module 'espeak-ng' {
  export interface EspeakModule {
    FS: {
      writeFile(path: string, text: string): void;
      /** @throws when there is no such file */
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
