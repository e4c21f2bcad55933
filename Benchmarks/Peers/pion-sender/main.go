// Pion as the sender of the fan-out benchmark: one H.264 track, packetized once, written to every viewer,
// with Pion's default interceptors (sender reports, NACK history). Offers come and answers go through files.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pion/interceptor"
	"github.com/pion/webrtc/v3"
	"github.com/pion/webrtc/v3/pkg/media"
	"github.com/pion/webrtc/v3/pkg/media/h264reader"
)

var (
	exchange = flag.String("exchange", "", "folder for offers and answers")
	source   = flag.String("source", "", "H.264 byte stream, 30 pictures a second, played in a loop")
	loopback = flag.Bool("loopback", true, "use the loopback interface too")
)

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "pion-sender:", err)
		os.Exit(1)
	}
}

// accessUnits splits the byte stream at its slices; parameter sets stay in front of their key frame.
func accessUnits() [][]byte {
	file, err := os.Open(*source)
	fail(err)
	defer file.Close()
	reader, err := h264reader.NewReader(file)
	fail(err)
	var units [][]byte
	var unit []byte
	for {
		nal, err := reader.NextNAL()
		if err != nil {
			return units
		}
		unit = append(append(unit, 0, 0, 0, 1), nal.Data...)
		if nal.UnitType == h264reader.NalUnitTypeCodedSliceIdr || nal.UnitType == h264reader.NalUnitTypeCodedSliceNonIdr {
			units = append(units, unit)
			unit = nil
		}
	}
}

func main() {
	flag.Parse()
	track, err := webrtc.NewTrackLocalStaticSample(webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeH264}, "video", "camera")
	fail(err)
	go func() {
		units := accessUnits()
		ticker := time.NewTicker(time.Second / 30)
		for number := 0; ; number++ {
			<-ticker.C
			_ = track.WriteSample(media.Sample{Data: units[number%len(units)], Duration: time.Second / 30})
		}
	}()
	fmt.Println("ready")
	answered := map[string]bool{}
	for {
		time.Sleep(250 * time.Millisecond)
		offers, _ := filepath.Glob(filepath.Join(*exchange, "*.offer"))
		for _, name := range offers {
			if answered[name] {
				continue
			}
			answered[name] = true
			offer, err := os.ReadFile(name)
			fail(err)
			engine := &webrtc.MediaEngine{}
			fail(engine.RegisterDefaultCodecs())
			registry := &interceptor.Registry{}
			fail(webrtc.RegisterDefaultInterceptors(engine, registry))
			settings := webrtc.SettingEngine{}
			settings.SetIncludeLoopbackCandidate(*loopback)
			api := webrtc.NewAPI(webrtc.WithMediaEngine(engine), webrtc.WithInterceptorRegistry(registry), webrtc.WithSettingEngine(settings))
			peer, err := api.NewPeerConnection(webrtc.Configuration{})
			fail(err)
			sender, err := peer.AddTrack(track)
			fail(err)
			go func() {
				buffer := make([]byte, 1500)
				for {
					if _, _, err := sender.Read(buffer); err != nil {
						return
					}
				}
			}()
			fail(peer.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeOffer, SDP: string(offer)}))
			answer, err := peer.CreateAnswer(nil)
			fail(err)
			done := webrtc.GatheringCompletePromise(peer)
			fail(peer.SetLocalDescription(answer))
			<-done
			path := strings.TrimSuffix(name, ".offer")
			fail(os.WriteFile(path+".part", []byte(peer.LocalDescription().SDP), 0o600))
			fail(os.Rename(path+".part", path+".answer"))
		}
	}
}
