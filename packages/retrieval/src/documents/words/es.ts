import type { PaperWords } from './paper-words.ts';

export const es: PaperWords = {
  kinds: {
    amendment: 'modificaci(?:ón|ones)|anexos?|adendas?|enmiendas?',
    certificate: 'certificados?|diplomas?|títulos?',
    contract: 'contratos?|acuerdos?|convenios?|condiciones generales',
    invoice: 'facturas?|notas? de crédito',
    journal: 'diarios?',
    letter: 'cartas?|avisos?|recordatorios?',
    list: 'listas?|inventarios?',
    mail: 'e-?mails?|correos?(?: electrónicos?)?',
    manual: 'manual(?:es)?|guías?|instrucciones|documentación',
    minutes: 'actas?|reuni(?:ón|ones)|juntas?|asambleas?',
    offer: 'ofertas?|presupuestos?|propuestas?|cotizaci(?:ón|ones)',
    payslip: 'nóminas?|recibos? de (?:salario|sueldo)',
    policy: 'pólizas?|seguros?',
    receipt: 'recibos?|tickets?|comprobantes?',
    recipe: 'recetas?',
    report: 'informes?|boletines? de notas|boletín',
    rules: 'estatutos|reglamentos?|normas',
    statement: 'extractos?|estados? de cuenta|declaraci(?:ón|ones) de la renta',
    talk: 'presentaci(?:ón|ones)|charlas?|ponencias?',
  },
  salutation:
    'estimad[oa]s?|querid[oa]s?|hola|buen[oa]s (?:días|tardes|noches)|muy señor(?:es)? mío?s?',
  closing: 'atentamente|saludos(?: cordiales)?|un (?:cordial )?saludo|cordialmente|un abrazo',
  dated:
    'fecha(?: de (?:emisión|factura|expedición))?|emitid[oa] el|firmado el|en la versión de|aprobad[oa] el|con fecha',
  otherDay: 'nacid[oa]|hasta|antes|vence|vencimiento|desde|válid[oa]|a partir del?',
  parties:
    'de|para|a|asistentes|presentes|inquilin[oa]|arrendador[a]?|arrendatari[oa]|propietari[oa]|cliente|comprador[a]?|vendedor[a]?|empleador|empresa|trabajador[a]?|asegurad[oa]|tomador|paciente|titular|destinatari[oa]|nombre',
  between: 'entre',
  honorifics: 'sr|sra|srta|don|doña|d|dña|dr|dra|señor|señora',
  subject: 'asunto|ref|referencia',
  version: 'versi(?:ón|ones)|edici(?:ón|ones)|revisi(?:ón|ones)|borrador',
  replaces: 'sustituye|reemplaza|anula|modifica|renueva|enmienda|deja sin efecto|en sustitución de',
  changes:
    'con efecto(?:s)? (?:desde|a partir)|a partir del?|desde ahora|ya no|pasa a ser|nuev[oa] (?:fecha|precio|renta|tarifa|número|dirección|importe|tipo)|sube|aumenta|baja|en lugar de|en vez de|hasta ahora|se (?:aplaza|traslada|cambia)|ahora',
  say: {
    more: 'y {} más',
    oneFile: '1 archivo',
    newest: '{} archivos, los más recientes primero',
    none: 'No hay archivos así.',
    noneThen: 'No se subieron archivos así en ese tiempo.',
  },
};
