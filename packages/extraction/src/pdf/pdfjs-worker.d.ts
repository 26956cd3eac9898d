/** PDF.js ships no types for its worker; importing it makes the worker known to PDF.js. */
declare module 'pdfjs-dist/legacy/build/pdf.worker.mjs';
