"""The people of the demo. All are invented; the scripts, the lengths and what is hidden are as clubs have them."""

from __future__ import annotations

from typing import NamedTuple


class Person(NamedTuple):
    native: str
    country: str
    latin: str = ""  # where the native name is in another script: first name, then the rest
    nickname: str = ""
    visibility: str = "full"
    ema_number: str = ""
    alias: str = ""

    @property
    def latin_names(self) -> tuple[str, str]:
        """First and last name in Latin letters."""
        first, _space, last = (self.latin or self.native).partition(" ")
        return first, last


MINSK = (
    Person("Дмитрий Соколов", "BY", "Dmitry Sokolov", nickname="Сокол", alias="Дима Соколов"),
    Person("Ольга Мельникова", "BY", "Olga Melnikova"),
    Person("Александра Константинопольская", "BY", "Alexandra Konstantinopolskaya"),
    Person("Юрий Лапин", "BY", "Yuri Lapin"),
    Person("Марина Яковлева", "BY", "Marina Yakovleva", alias="Марина Громыко"),
    Person("Андрей Ковальчук", "UA", "Andrii Kovalchuk"),
    Person("Павел Зубрицкий", "BY", "Pavel Zubritsky", nickname="зубр", visibility="nickname"),
    Person("Вераніка Ўласава", "BY", "Veranika Ulasava"),
    Person("Тимофей Рудак", "BY", "Timofey Rudak"),
    Person("Ксения Боровик", "BY", "Kseniya Borovik", nickname="Бо"),
    Person("Глеб Станкевич", "BY", "Gleb Stankevich"),
    Person("Наталья Шумилина", "BY", "Natalia Shumilina", visibility="hidden"),
    Person("Роман Цибулько", "BY", "Roman Tsibulko"),
    Person("Антонина Хвощинская", "BY", "Antonina Khvoshchinskaya"),
    Person("佐藤 健", "JP", "Ken Satō", alias="Sato Ken"),
    Person("中村 美咲", "JP", "Misaki Nakamura"),
    Person("Thomas Bergmann", "DE"),
    Person("Clara Reuter", "DE"),
    Person("Katarzyna Wiśniewska", "PL", ema_number="14030021"),
    Person("Hannah Okafor", "GB"),
    Person("Арсений Пташук", "BY", "Arseny Ptashuk"),
    Person("Злата Корсак", "BY", "Zlata Korsak"),
)

ARKHANGELSK = (
    Person("Николай Берёзкин", "RU", "Nikolai Beryozkin", alias="Николай Березкин"),
    Person("Игорь Тарасов", "RU", "Igor Tarasov"),
    Person("Елена Воронцова", "RU", "Elena Vorontsova"),
    Person("Вячеслав Поморцев", "RU", "Vyacheslav Pomortsev"),
    Person("Ася Двинская", "RU", "Asya Dvinskaya"),
    Person("Семён Лодейников", "RU", "Semyon Lodeynikov", nickname="Лодья"),
    Person("Любовь Архипова-Заозёрская", "RU", "Lyubov Arkhipova-Zaozyorskaya"),
    Person("Матвей Котлин", "RU", "Matvey Kotlin"),
    Person("Дарья Сполохова", "RU", "Darya Spolokhova"),
    Person("Евгений Щукин", "RU", "Evgeny Shchukin"),
    Person("Инна Мезенцева", "RU", "Inna Mezentseva", nickname="северная", visibility="nickname"),
    Person("Фёдор Вага", "RU", "Fyodor Vaga"),
    Person("Полина Онегина", "RU", "Polina Onegina"),
    Person("Степан Холмогоров", "RU", "Stepan Kholmogorov"),
    Person("Яна Пинежская", "RU", "Yana Pinezhskaya"),
    Person("Kristoffer Haugen", "NO"),
    Person("Руслан Ягодин", "RU", "Ruslan Yagodin"),
    Person("林 静香", "JP", "Shizuka Hayashi"),
)

LODZ = (
    Person("Łukasz Żurawski", "PL", ema_number="14030007", alias="Lukasz Zurawski"),
    Person("Krzysztof Wójcik", "PL", ema_number="14030012"),
    Person("Agnieszka Dąbrowska", "PL", ema_number="14030015"),
    Person("Małgorzata Szczęsna", "PL", ema_number="14030018"),
    Person("Paweł Gąsior", "PL", ema_number="14030023"),
    Person("Piotr Źrebiec", "PL", ema_number="14030029"),
    Person("Zofia Grzegorzewska-Brzęczyszczykiewicz", "PL"),
    Person("Stanisław Ćwikła", "PL"),
    Person("Jadwiga Łącka", "PL", ema_number="14030034"),
    Person("Wojciech Śliwa", "PL"),
    Person("Róża Jaśkiewicz", "PL", nickname="Różyczka"),
    Person("Bogdan Kiełb", "PL", visibility="hidden"),
    Person("Hanna Żak", "PL"),
    Person("Mikołaj Przybył", "PL"),
    Person("Jonas Lindqvist", "SE", ema_number="20010009"),
    Person("Sanne de Vries", "NL", ema_number="13010044"),
    Person("Mathilde Lefèvre", "FR", ema_number="07050031"),
    Person("Oskar Nielsen", "DK", ema_number="04010102"),
    Person("Ágnes Szőke", "HU"),
    Person("Tomáš Růžička", "CZ"),
    Person("Giulia Ferrante", "IT"),
    Person("Оксана Шевчишин", "UA", "Oksana Shevchyshyn"),
    Person("高橋 蓮", "JP", "Ren Takahashi"),
    Person("Ewa Nowosielska", "PL"),
    Person("Grzegorz Pięta", "PL"),
    Person("Ida Kowal", "PL"),
)
