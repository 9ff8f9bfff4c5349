"""Looks at what generators made of the description, for what an app's developer would stumble over."""

import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
problems = []


def read(pattern):
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        problems.append(f"{pattern}: {len(found)} files")
        return ""
    return found[0].read_text()


def expect(pattern, *lines):
    text = " ".join(read(pattern).split())
    problems.extend(f"{pattern} has no `{line}`" for line in lines if line not in text)


# What is always there needs no question mark and no default; what can be null has one and is still always there.
expect("kotlin/**/models/MeView.kt", "val username: kotlin.String )", "val name: kotlin.String?,", "val primaryTeam: BriefTeamView?,")
expect("kotlin/**/models/LoginView.kt", "val token: kotlin.String,", "val matrixCredentials: Credentials?,")
# Codes are words of an enumeration, and answers are made of the same types everywhere.
expect("kotlin/**/models/CreatePrediction400Error.kt", 'event_started("event_started")')
expect("kotlin/**/models/DataMeView.kt", "val `data`: MeView")
expect("kotlin/**/apis/PredictionsApi.kt", "fun createPrediction(predictionBody: PredictionBody,")
expect("swift/**/Models/MeView.swift", "public var username: String", "public var name: String?")
expect("swift/**/Models/DataMeView.swift", "public var data: MeView")
expect("swift/**/APIs/PredictionsAPI.swift", "func createPrediction(predictionBody: PredictionBody,")
for problem in problems:
    print(problem)
print(f"generated for Kotlin and Swift: {sum(1 for _ in folder.rglob('*.kt'))} and {sum(1 for _ in folder.rglob('*.swift'))} files")
sys.exit(1 if problems else 0)
