"""The table of who may do what: every action of every game stands in one row."""

from __future__ import annotations

ANYBODY = "anybody looks; nothing is altered"
TOLD = "anybody is shown how it stands; only who plays, or keeps the game, alters it"
PLAYERS = "who plays, for either side or the side whose turn it is"
OWN = "who plays the model, squad or side that is named first, and nobody for the other side's"
KEEPERS = "the organiser, and who manages the channel"
OWNERS = "whose crew or campaign it is"
SERVER = "what a server keeps for all its channels: anybody adds to it, who added something takes it away"

_TABLE = {
    ANYBODY: """
        bag.peek book cb.casualties cb.compare cb.cover cb.crews cb.field cb.gear.show cb.melee-odds cb.owed
        cb.score cb.snap-odds cb.upkeep.odds fe.passby fe.surge fe.table fe.tokens fe.write inf.area inf.f2f
        inf.profile.export inf.profile.list inf.roll mission.show order.spend sol.look sol.show sol.write
        wz.band wz.gap wz.write
    """,
    TOLD: """
        fe.add fe.deck sol.add wz.add
    """,
    PLAYERS: """
        bag.draw bag.group bag.let bag.pass bag.redraw bag.rest cb.area cb.area.drop cb.charge.hits
        cb.defend cb.defend-order cb.deploy cb.deploy.order cb.dispute cb.driven-back cb.engage cb.explode
        cb.fire.end cb.fire.start cb.hold-back cb.lend cb.let-come cb.melee cb.no-leader cb.placed
        cb.psi.ultonium cb.relic.anew cb.score.hunt cb.score.squares cb.seen.ask cb.snap cb.split cb.steady
        cb.step-in cb.structure cb.structure.drop cb.table cb.task.drop cb.terrain cb.terrain.piece
        cb.upkeep cb.upkeep.ask cb.upkeep.back cb.upkeep.confirm cb.upkeep.correct cb.upkeep.fled
        cb.veh.boom fe.avoid fe.buff fe.caught fe.chances fe.counter fe.defend fe.done fe.edges fe.hand
        fe.late fe.link fe.morph fe.now fe.pass fe.push fe.select fe.shift fe.solo inf.deployment inf.react
        inf.resolve mission.ask mission.control mission.places mission.plans mission.reveal mission.score
        mission.spring mission.stop mission.token mission.trap sol.board sol.body sol.flip sol.item
        sol.light sol.object upkeep wz.dire wz.reboot wz.regroup wz.squad wz.starts
    """,
    OWN: """
        act bag.act bag.lead bag.with cb.arc cb.breach cb.burn cb.call cb.charge cb.charge.blow
        cb.charge.place cb.check cb.climb cb.collide cb.disengage cb.douse cb.edge cb.engulf cb.enter
        cb.explode.now cb.fall cb.fight cb.flee cb.free cb.gear cb.gear.along cb.gear.bomb cb.gear.drain
        cb.gear.give cb.gear.leash cb.gear.pair cb.gear.use cb.hazard cb.height cb.hide cb.hold cb.interrupt
        cb.jump cb.knocked-into cb.landed cb.leader cb.master cb.minder.grip cb.minder.mind cb.move
        cb.nominate cb.overwatch cb.panic cb.pounce cb.prone cb.psi cb.psi.feature cb.psi.floor cb.psi.focus
        cb.psi.free cb.psi.how cb.psi.know cb.psi.lost cb.psi.order cb.psi.power cb.rally cb.relic.beacon
        cb.relic.use cb.repair cb.reserve cb.score.points cb.scout cb.seen cb.shoot cb.spot cb.spot.check
        cb.stand cb.strike-back cb.team cb.template cb.treat cb.unlock cb.uplink cb.veh.board
        cb.veh.burn cb.veh.crit cb.veh.down cb.veh.drive cb.veh.hit cb.veh.out cb.veh.points cb.veh.ram
        cb.veh.wild cb.waive cb.wash cb.watch cb.water cb.work fe.activate fe.area fe.attack fe.check
        fe.detect fe.dodge fe.draw fe.half fe.hide fe.interrupt fe.leave fe.move fe.redraw fe.reveal
        fe.sustain fe.use fe.wait inf.aro inf.assault inf.cc inf.discover inf.dodge inf.fall inf.falling
        inf.first inf.guts inf.heal inf.hide inf.jump inf.lieutenant inf.mine inf.model.add inf.model.group
        inf.order inf.prone inf.reconnect inf.reveal inf.sensor inf.shoot inf.strategos inf.terrain
        mission.captive mission.choose mission.found mission.pick mission.salvage mission.search
        mission.subdue sol.attack sol.break sol.grapple sol.lunge sol.move sol.pass sol.place sol.stand
        sol.test sol.turn sol.value wz.activate wz.aim wz.attack wz.blast wz.board wz.break wz.channel
        wz.charge wz.chart wz.command wz.conceal wz.concentrate wz.contact wz.deranged wz.dive wz.dominate
        wz.done wz.explode wz.fall wz.fight wz.jump wz.ld wz.letgo wz.morale wz.move wz.next wz.nobody
        wz.presence wz.rally wz.rampage wz.react wz.shoot wz.spot wz.storm wz.struck wz.template wz.terrain
        wz.wait wz.wake
    """,
    KEEPERS: """
        fe.morphs
    """,
    OWNERS: """
        hero.add hero.back hero.buy hero.discard hero.edit hero.finish hero.new hero.remove hero.return
        hero.show hero.step hero.take inf.model.recruit spoils.build spoils.discard spoils.improve
        spoils.ransom spoils.recruit spoils.release spoils.relic spoils.restart spoils.scouting spoils.trade
        spoils.use spoils.weapon
    """,
    SERVER: """
        inf.profile.drop inf.profile.import inf.profile.save
    """,
}

ROWS = {kind: text.split() for kind, text in _TABLE.items()}
"""The actions of each kind. With a reason that everybody reads, the organiser may what players may."""
