"""Four drawn scenes as short films, so that the README's picture shows more than test bars."""

import base64
import os
import subprocess
import tempfile

SECONDS, RATE, WIDTH, HEIGHT = 4, 15, 960, 540

# Each is SVG of 960 x 540; `t` goes from 0 to 1 and ends where it began.
SCENES = {
    "Front door": """
        <rect width="960" height="540" fill="#c9b8a3"/>
        ${Array.from({length: 12}, (_, row) => Array.from({length: 14}, (_, column) =>
          `<rect x="${column * 80 - (row % 2) * 40}" y="${row * 45}" width="76" height="41" fill="${['#bfa98f', '#c6b299', '#b9a288'][(row * 5 + column * 3) % 3]}"/>`).join('')).join('')}
        <rect x="0" y="470" width="960" height="70" fill="#7d756b"/><rect x="330" y="440" width="300" height="36" fill="#958b7f"/>
        <rect x="360" y="90" width="240" height="352" fill="#e9e2d6"/><rect x="378" y="108" width="204" height="334" fill="#24524f"/>
        <rect x="398" y="130" width="72" height="120" fill="#1b403d"/><rect x="490" y="130" width="72" height="120" fill="#1b403d"/>
        <rect x="398" y="274" width="72" height="140" fill="#1b403d"/><rect x="490" y="274" width="72" height="140" fill="#1b403d"/>
        <circle cx="562" cy="268" r="8" fill="#d9b65c"/><rect x="640" y="190" width="14" height="44" rx="4" fill="#3b3a38"/>
        <circle cx="690" cy="${120 + wave * 2}" r="60" fill="#ffe3a1" opacity="${0.35 + 0.12 * wave}"/><rect x="678" y="96" width="24" height="46" rx="6" fill="#3b3a38"/><rect x="682" y="104" width="16" height="30" fill="#ffe9b8"/>
        <path d="M210 470 q -14 -60 -6 -110 q 20 -60 40 0 q 10 60 -4 110" fill="#4b6b41" transform="rotate(${wave * 2} 225 470)"/><rect x="188" y="430" width="76" height="50" rx="6" fill="#9c5b3c"/>""",
    "Garden": """
        <rect width="960" height="540" fill="#a8cbe0"/><circle cx="780" cy="90" r="46" fill="#fff1c4"/>
        ${[0, 1, 2].map((cloud) => `<g transform="translate(${((t + cloud / 3) % 1) * 1300 - 260} ${60 + cloud * 36})" fill="#fff" opacity="0.8"><ellipse cx="60" cy="20" rx="80" ry="20"/><ellipse cx="90" cy="6" rx="44" ry="22"/></g>`).join('')}
        <path d="M0 300 Q 240 220 480 290 T 960 270 V540 H0z" fill="#6f9a64"/><path d="M0 380 Q 300 320 620 380 T 960 370 V540 H0z" fill="#527f4d"/>
        <g transform="rotate(${wave * 1.4} 220 400)"><rect x="208" y="250" width="24" height="160" fill="#6b4a33"/><circle cx="220" cy="210" r="92" fill="#3f6e43"/><circle cx="170" cy="240" r="56" fill="#4a7c4b"/><circle cx="268" cy="244" r="58" fill="#366239"/></g>
        <rect x="560" y="300" width="170" height="110" fill="#8a5a41"/><path d="M540 305 L645 232 L750 305z" fill="#5b3a2c"/><rect x="620" y="340" width="48" height="70" fill="#f0e6d2"/>
        ${Array.from({length: 22}, (_, post) => `<rect x="${post * 46}" y="${430 + (post % 2) * 2}" width="30" height="80" fill="#e6ded0"/>`).join('')}<rect y="450" width="960" height="10" fill="#d6ccba"/>""",
    "Workshop": """
        <rect width="960" height="540" fill="#3d444b"/><rect y="400" width="960" height="140" fill="#2f353b"/>
        <rect x="90" y="60" width="240" height="160" fill="#9fb7c9"/><path d="M210 60v160M90 140h240" stroke="#2a2f34" stroke-width="8"/>
        <rect x="420" y="70" width="440" height="150" fill="#5a4a3b"/>
        ${[0, 1, 2, 3, 4, 5].map((tool) => `<g transform="rotate(${wave * (tool === 3 ? 6 : 0)} ${460 + tool * 70} 92)"><rect x="${455 + tool * 70}" y="92" width="12" height="${60 + (tool % 3) * 18}" fill="#c2c9cf"/><rect x="${449 + tool * 70}" y="${145 + (tool % 3) * 18}" width="24" height="34" rx="5" fill="${['#c8553d', '#d9a441', '#4d7c8a'][tool % 3]}"/></g>`).join('')}
        <path d="M480 0 L${440 + wave * 8} 400 H${720 + wave * 8} z" fill="#ffe7ad" opacity="0.13"/><path d="M440 10 h80 l20 30 h-120z" fill="#1f2327"/>
        <rect x="140" y="330" width="680" height="30" fill="#b08a5b"/><rect x="180" y="360" width="30" height="150" fill="#8f6d45"/><rect x="750" y="360" width="30" height="150" fill="#8f6d45"/>
        <rect x="520" y="270" width="130" height="60" rx="6" fill="#4d7c8a"/><circle cx="560" cy="300" r="20" fill="#223"/><path d="M560 300 l${18 * Math.cos(turn * 4)} ${18 * Math.sin(turn * 4)}" stroke="#fff" stroke-width="4"/>
        <rect x="250" y="290" width="90" height="40" fill="#c8553d"/>""",
    "Driveway": """
        <rect width="960" height="540" fill="#1d2733"/><rect y="250" width="960" height="290" fill="#2b3138"/>
        ${Array.from({length: 40}, (_, star) => `<circle cx="${(star * 251) % 960}" cy="${(star * 97) % 200}" r="${1 + star % 2}" fill="#fff" opacity="${0.3 + 0.4 * Math.abs(Math.sin(star + turn))}"/>`).join('')}
        <rect x="60" y="130" width="260" height="170" fill="#39424d"/><path d="M40 134 L190 60 L340 134z" fill="#2a323b"/><rect x="100" y="170" width="60" height="50" fill="#ffdf94"/><rect x="210" y="170" width="60" height="50" fill="#ffdf94" opacity="${0.75 + 0.2 * wave}"/>
        <path d="M380 540 L520 250 H640 L900 540z" fill="#3a4048"/><path d="M640 540 L582 250" stroke="#7d848c" stroke-width="5" stroke-dasharray="30 26"/>
        <rect x="720" y="120" width="10" height="170" fill="#565f69"/><circle cx="725" cy="118" r="12" fill="#fff3cf"/><path d="M725 118 L610 330 H860z" fill="#fff3cf" opacity="0.1"/>
        <g transform="translate(${520 + 90 * t - 20} ${300 + 130 * t}) scale(${0.55 + 0.6 * t})"><rect x="-70" y="0" width="140" height="56" rx="14" fill="#6d7f95"/><path d="M-50 4 L-34 -34 H34 L50 4z" fill="#52617a"/><circle cx="-48" cy="24" r="10" fill="#fff6d8"/><circle cx="48" cy="24" r="10" fill="#fff6d8"/><rect x="-62" y="52" width="28" height="16" fill="#14181c"/><rect x="34" y="52" width="28" height="16" fill="#14181c"/></g>""",
}

DRAW = """
const [body, t] = arguments, turn = t * 2 * Math.PI, wave = Math.sin(turn);
const text = new Function('t', 'turn', 'wave', 'return `' + body + '`')(t, turn, wave);
document.body.style.margin = 0;
document.body.innerHTML = `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="540" style="display:block">${text}</svg>`;
"""


def films(browser, folder):
    """Draws every scene in the browser, on an empty page of its own; gives name and path of each film."""
    made = {}
    browser.driver.get("data:text/html,<body></body>")
    for name, body in SCENES.items():
        with tempfile.TemporaryDirectory() as pictures:
            for number in range(SECONDS * RATE):
                browser.run(DRAW, body, number / (SECONDS * RATE))
                shot = browser.command(
                    "Page.captureScreenshot",
                    clip={"x": 0, "y": 0, "width": WIDTH, "height": HEIGHT, "scale": 1},
                )
                with open(os.path.join(pictures, f"{number:03}.png"), "wb") as file:
                    file.write(base64.b64decode(shot["data"]))
            made[name] = os.path.join(folder, name.replace(" ", "-").lower() + ".mp4")
            subprocess.run(
                [
                    "ffmpeg",
                    "-y",
                    "-loglevel",
                    "error",
                    "-framerate",
                    str(RATE),
                    "-i",
                    os.path.join(pictures, "%03d.png"),
                    "-c:v",
                    "libx264",
                    "-profile:v",
                    "main",
                    "-bf",
                    "0",
                    "-g",
                    str(RATE),
                    "-pix_fmt",
                    "yuv420p",
                    made[name],
                ],
                check=True,
            )
    return made
