/** Words that "I'm" may stand before with a capital, and that are no name. */
const alternatives = (list: string): string => list.trim().split(/\s+/u).join('|');

/** To what people, state or faith one belongs, as a source of a pattern. */
export const demonyms = alternatives(`
  Afghan African Albanian Algerian American Arab Argentinian Argentine Armenian Asian Australian Austrian Azerbaijani
  Bangladeshi Basque Bavarian Belarusian Belgian Bolivian Bosnian Brazilian British Briton Bulgarian Burmese Cambodian
  Cameroonian Canadian Catalan Chilean Chinese Colombian Congolese Cornish Croatian Croat Cuban Cypriot Czech Danish Dane
  Dominican Dutch Dutchman Ecuadorian Egyptian Emirati English Englishman Englishwoman Eritrean Estonian Ethiopian European
  Filipino Filipina Finnish Finn Flemish French Frenchman Frenchwoman Georgian German Ghanaian Greek Guatemalan Haitian
  Hawaiian Honduran Hungarian Icelandic Indian Indonesian Iranian Iraqi Irish Irishman Irishwoman Israeli Italian Ivorian
  Jamaican Japanese Jordanian Kazakh Kenyan Korean Kosovan Kurdish Kurd Kuwaiti Laotian Latvian Lebanese Liberian Libyan
  Lithuanian Londoner Macedonian Malaysian Maltese Maori Mexican Moldovan Mongolian Montenegrin Moroccan Nepali Nepalese
  Nicaraguan Nigerian Norwegian Pakistani Palestinian Panamanian Paraguayan Persian Peruvian Polish Pole Portuguese Qatari
  Romanian Russian Rwandan Salvadoran Saudi Scottish Scot Senegalese Serbian Serb Sicilian Singaporean Slovak Slovakian
  Slovenian Somali Spanish Spaniard Sudanese Swede Swedish Swiss Syrian Taiwanese Tanzanian Thai Tibetan Tunisian Turkish
  Turk Ugandan Ukrainian Uruguayan Uzbek Venezuelan Vietnamese Welsh Welshman Yemeni Zambian Zimbabwean Texan Californian
  Parisian Viennese Aussie Kiwi Brit Yorkshireman Geordie Hispanic Latino Latina Roma
  Catholic Christian Muslim Jewish Buddhist Hindu Sikh Protestant Anglican Methodist Baptist Lutheran Orthodox Mormon Quaker
  Atheist Agnostic
`);

/** States, kinds and ranks that are written with a capital for weight, or since they are a label. */
export const states = alternatives(`
  And Or But The To Of In On At For With From By So Not Very Too Just Still Also Always Never Only All Both Really Now Then
  Here There Back Home Away Out Up Off Over Under Down Sure Ok Okay Fine Good Great Well Better Best Bad Ready Done Sorry
  Glad Happy Sad Angry Mad Upset Afraid Scared Tired Sleepy Hungry Thirsty Sick Ill Cold Hot Warm Busy Free Late Early Bored
  Lost Stuck Broke Poor Rich Alone Lonely Single Married Divorced Engaged Widowed Pregnant Vegan Vegetarian Pescatarian
  Coeliac Celiac Diabetic Autistic Dyslexic Asthmatic Allergic Deaf Blind Mute Disabled Gay Lesbian Bi Bisexual Straight
  Trans Queer Asexual Nonbinary Male Female Old Young Adult Senior Junior Human Alive Dead Drunk Sober High Fat Thin Tall
  Short Strong Weak Weird Crazy Insane Serious Curious Nervous Anxious Depressed Stressed Excited Confused Furious Proud
  Ashamed Grateful Thankful Jealous Healthy Fit Safe Right Wrong Certain Positive Negative Different Normal New Nobody
  Somebody Anyone Someone Nothing Everything Yours Mine His Hers Totally Literally Currently Basically Honestly Seriously
  Black White Brown Asian Latinx Liberal Conservative Republican Democrat Labour Tory Socialist Communist Libertarian
  Independent Feminist Aries Taurus Gemini Cancer Virgo Libra Scorpio Sagittarius Capricorn Aquarius Pisces Gen Generation
  Type Team Class Group Level Stage Grade Year Head Chief Lead Leader Vice President Chairman Director Manager Engineer
  Developer Designer Officer Analyst Architect Consultant Specialist Coordinator Supervisor Assistant Associate Intern
  Teacher Professor Doctor Nurse Student Dad Mum Mom Mother Father Grandma Grandpa Admin Root User Customer Client Support
  Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March July August September October November
  December Linux Windows Mac Android Python Java God Santa Covid Zoom Teams Slack
`);
