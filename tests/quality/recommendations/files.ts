/** Small files, by name, in languages that the English collections lack. */
export const FOREIGN_FILES: Readonly<Record<string, readonly [name: string, text: string][]>> = {
  de: [
    [
      'vereinschronik.txt',
      `Der Ruderverein Blauwasser wurde am 3. Mai 1921 gegründet. Die Bootshalle befindet sich am Nordufer des Sees.
Im Jahr 1954 wurde die alte Bootshalle durch ein Feuer zerstört. Der Neubau kostete 48.000 Mark.
Renate Vogt leitet die Jugendabteilung. Der Jahresbeitrag beträgt 96 Euro für Erwachsene.`,
    ],
    [
      'mietvertrag.txt',
      `Mietvertrag für die Wohnung in der Lindenstraße 8

Vermieterin: Helga Brandt
Kaltmiete: 780,00 Euro
Vertragsnummer: LS-2291

Die Kündigungsfrist beträgt drei Monate. Die Kaution beträgt 2.340 Euro.
Am 1. Juli 2024 beginnt das Mietverhältnis. Der Kellerschlüssel liegt im Hausmeisterbüro.`,
    ],
    [
      'heizung_anleitung.txt',
      `Um die Heizung zu entlüften, öffnen Sie das Ventil mit dem Vierkantschlüssel.
Um den Filter auszutauschen, drehen Sie den Deckel nach links.
Der Wartungsdienst ist nötig, weil der Brenner sonst verrußt.
Die Wartung dauert etwa zwei Stunden. Der Brenner ist ein Bauteil mit einer Düse aus Keramik.`,
    ],
    [
      'protokoll_märz.txt',
      `Nächster Termin: 12. April 2024 um 19 Uhr
Schriftführer: Jonas Wieland

Das Sommerfest findet am 22. Juni 2024 statt. Die Umbauarbeiten beginnen im September 2024.
Bis zum 30. April müssen alle Mitglieder ihre Schlüssel abgeben.
Das Dach wurde erneuert, weil die Ziegel undicht waren.`,
    ],
    [
      'preise.csv',
      `Artikel;Preis;Lieferant
Dachziegel;2,40 Euro;Ziegelwerk Hartmann
Dachlatte;1,15 Euro;Holz Meinert
Regenrinne;18,90 Euro;Blech Gruber`,
    ],
  ],
  fr: [
    [
      'contrat_location.txt',
      `Date de naissance : 4 mai 1988
Numéro de contrat : RF-7781

Le loyer mensuel est de 640 euros. Le bail commence le 1 septembre 2024. La cave se trouve au sous-sol.
Pour résilier le bail, il faut envoyer une lettre recommandée.`,
    ],
    [
      'cuisine.txt',
      `La cuisson dure quarante minutes. Le moule en silicone coûte 12 euros. La ganache est une crème au chocolat très dense.`,
    ],
  ],
  es: [
    [
      'garaje.txt',
      `Fecha de entrega: 12 de marzo de 2024
Número de factura: F-2219

La reparación del motor cuesta 380 euros. El taller está en la calle Olmo. La garantía dura seis meses.
Para recoger el coche, hay que presentar la factura.`,
    ],
  ],
  ru: [
    [
      'школа.txt',
      `Родительское собрание состоится 19 октября в актовом зале. Школьный обед стоит 180 рублей.
Школьная библиотека находится на втором этаже. Хор — это кружок для учеников младших классов.
Чтобы записаться в хор, нужно заполнить анкету.`,
    ],
  ],
  ja: [
    [
      '旅館.txt',
      `予約番号：YK-20871
宿泊料金：24000円

花火大会は8月3日に行います。送迎バスの料金は500円です。浴衣とは、夏に着る木綿の着物です。
予約を変更するには、電話で連絡してください。`,
    ],
  ],
};
