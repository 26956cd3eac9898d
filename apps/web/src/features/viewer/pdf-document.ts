import { getDocument, GlobalWorkerOptions, type PDFDocumentLoadingTask } from 'pdfjs-dist';
// The bundler answers `?url` with a file's address, which the file itself knows nothing of.
// oxlint-disable-next-line import/default
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';

GlobalWorkerOptions.workerSrc = workerUrl;

type AssetUrls = Record<string, string>;

// What PDFs name but need not contain: tables of East Asian characters, the 14 standard fonts, and
// decoders for the pictures of scanned pages. Each is fetched from our own origin when it is asked for.
const assets: Record<string, AssetUrls> = {
  cMapUrl: import.meta.glob('../../../../../node_modules/pdfjs-dist/cmaps/*.bcmap', {
    query: '?url',
    import: 'default',
    eager: true,
  }),
  standardFontDataUrl: import.meta.glob(
    '../../../../../node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}',
    { query: '?url', import: 'default', eager: true },
  ),
  wasmUrl: import.meta.glob('../../../../../node_modules/pdfjs-dist/wasm/{jbig2,openjpeg}.wasm', {
    query: '?url',
    import: 'default',
    eager: true,
  }),
};

/** Hands PDF.js its own files, which the build has renamed after their content. */
class BundledAssets {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const found = Object.entries(assets[kind] ?? {}).find(([path]) =>
      path.endsWith(`/${filename}`),
    );
    if (!found) throw new Error(`PDF.js asked for ${filename}, which is not bundled.`);
    const response = await fetch(found[1]);
    if (!response.ok) throw new Error(`${filename} could not be loaded.`);
    return new Uint8Array(await response.arrayBuffer());
  }
}

/** Opens a PDF by its address, fetching only the parts that are looked at. */
export function openPdf(url: string): PDFDocumentLoadingTask {
  return getDocument({
    url,
    BinaryDataFactory: BundledAssets,
    useWorkerFetch: false,
    disableAutoFetch: true,
    disableStream: true,
    enableXfa: false,
    // A page that claims a picture of a gigapixel is not worth a frozen tab.
    maxImageSize: 100_000_000,
    verbosity: 0,
  });
}
